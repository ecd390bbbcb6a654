// The documents that are mutated: harmless ones, and ones with every kind of active content that pdf.js can find.
import type { Part } from './write-pdf.ts'

export type Payload = { label: string; catalog?: string; page?: string; parts?: Part[] }

const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
const widget = '/Subtype /Widget /FT /Tx /T (a) /Rect [0 0 99 20]'
function link(action: string) {
  return `/Annots [<< /Type /Annot /Subtype /Link /Rect [9 9 99 20] /A ${action} >>]`
}

export const hostile: readonly Payload[] = [
  { label: 'script on opening', catalog: `/OpenAction ${script}` },
  {
    label: 'script on opening, elsewhere',
    catalog: '/OpenAction 9 0 R',
    parts: [{ number: 9, text: script }],
  },
  {
    label: 'script by names',
    catalog: '/Names << /JavaScript 9 0 R >>',
    parts: [{ number: 9, text: `<< /Names [(a) ${script}] >>` }],
  },
  {
    label: 'script in a stream',
    catalog: '/OpenAction << /S /JavaScript /JS 9 0 R >>',
    parts: [{ number: 9, text: '', stream: Buffer.from('app.alert(1)') }],
  },
  {
    label: 'script of the document',
    catalog: '/AA 9 0 R',
    parts: [{ number: 9, text: `<< /WC ${script} >>` }],
  },
  { label: 'script of a page', page: `/AA << /O ${script} >>` },
  {
    label: 'script of a field',
    catalog: '/AcroForm << /Fields [9 0 R] >>',
    page: '/Annots [9 0 R]',
    parts: [{ number: 9, text: `<< ${widget} /AA << /K ${script} >> >>` }],
  },
  { label: 'printing on opening', catalog: '/OpenAction << /S /Named /N /Print >>' },
  {
    label: 'attachment',
    catalog: '/Names << /EmbeddedFiles << /Names [(a) 9 0 R] >> >>',
    parts: [
      { number: 9, text: '<< /Type /Filespec /F (a.exe) /EF << /F 10 0 R >> >>' },
      { number: 10, text: '/Type /EmbeddedFile', stream: Buffer.from('MZ') },
    ],
  },
  {
    label: 'attachment on a page',
    page: '/Annots [<< /Type /Annot /Subtype /FileAttachment /Rect [9 9 20 20] /FS 9 0 R >>]',
    parts: [
      { number: 9, text: '<< /Type /Filespec /F (a.exe) /EF << /F 10 0 R >> >>' },
      { number: 10, text: '/Type /EmbeddedFile', stream: Buffer.from('MZ') },
    ],
  },
  {
    label: 'XFA form',
    catalog: '/AcroForm << /Fields [] /XFA 9 0 R >>',
    parts: [{ number: 9, text: '', stream: Buffer.from('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"/>') }],
  },
  { label: 'script address', page: link('<< /S /URI /URI (javascript:alert\\(1\\)) >>') },
  {
    label: 'script address, elsewhere',
    page: link('<< /S /URI /URI 9 0 R >>'),
    parts: [{ number: 9, text: '(javascript:alert\\(1\\))' }],
  },
  {
    label: 'file address',
    page: link('9 0 R'),
    parts: [{ number: 9, text: '<< /S /URI /URI (file:///etc/passwd) >>' }],
  },
  {
    label: 'script address in the outline',
    catalog: '/Outlines 9 0 R',
    parts: [
      { number: 9, text: '<< /First 10 0 R /Last 10 0 R /Count 1 >>' },
      { number: 10, text: '<< /Title (a) /Parent 9 0 R /A << /S /URI /URI (javascript:1) >> >>' },
    ],
  },
]

export const harmless: readonly Payload[] = [
  { label: 'nothing' },
  {
    label: 'destination on opening',
    catalog: '/OpenAction 9 0 R',
    parts: [{ number: 9, text: '[3 0 R /Fit]' }],
  },
  { label: 'web link', page: link('<< /S /URI /URI (https://example.com) >>') },
  {
    label: 'field',
    catalog: '/AcroForm << /Fields [9 0 R] >>',
    page: '/Annots [9 0 R]',
    parts: [{ number: 9, text: `<< ${widget} /V (Ann) >>` }],
  },
  { label: 'words in text', catalog: '/Lang (/JavaScript /Launch 9 0 R)' },
]

/** The objects of a document of one page with the payload. */
export function partsOf({ catalog = '', page = '', parts = [] }: Payload): Part[] {
  return [
    { number: 1, text: `<< /Type /Catalog /Pages 2 0 R ${catalog} >>` },
    { number: 2, text: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>' },
    {
      number: 3,
      text: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ${page} >>`,
    },
    { number: 4, text: '', stream: Buffer.from('BT 72 720 Td ET') },
    ...parts,
  ]
}
