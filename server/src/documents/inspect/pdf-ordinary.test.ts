import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { inspectFile } from './inspect-file.ts'
import { PAGES_MAX } from './limits.ts'
import type { PdfShape } from './sample-files.ts'
import { pdfBasics, renderPdfObject, samplePdf } from './sample-files.ts'
import { assertAccepted, assertRejected, catalogWith, link, pageWith } from './test-pdf-verdicts.ts'

test('the usual content of documents is accepted', () => {
  const cases: [string, PdfShape][] = [
    ['nothing special', {}],
    ['destination on opening', { objects: [catalogWith('/OpenAction [3 0 R /FitH 700]')] }],
    [
      'destination on opening, by reference',
      { objects: [catalogWith('/OpenAction 9 0 R'), { number: 9, text: '[3 0 R /Fit]' }] },
    ],
    ['jump on opening', { objects: [catalogWith('/OpenAction << /S /GoTo /D [3 0 R /Fit] >>')] }],
    [
      'jump on opening, in a stream',
      {
        objects: [catalogWith('/OpenAction 9 0 R'), { number: 9, text: '<< /S /GoTo /D [3 0 R /Fit] >>' }],
        inObjectStream: [1, 9],
      },
    ],
    ['web link', { objects: [link('<< /S /URI /URI (https://example.com/a?b=c) >>')] }],
    [
      'web link in UTF-16',
      { objects: [link('<< /S /URI /URI <FEFF00680074007400700073003A002F002F0061> >>')] },
    ],
    ['mail link', { objects: [link('<< /S /URI /URI (mailto:a@example.com) >>')] }],
    ['address without scheme', { objects: [link('<< /S /URI /URI (example.com:8080/x) >>')] }],
    ['page-wide jump', { objects: [link('<< /S /GoTo /D [3 0 R] >>', '[0 0 612 792]')] }],
    [
      'article threads',
      { objects: [catalogWith('/Threads [9 0 R]'), { number: 9, text: '<< /Type /Thread /F 10 0 R >>' }] },
    ],
    [
      'form fields',
      {
        objects: [
          catalogWith('/AcroForm << /Fields [<< /FT /Tx /T (Name) /V (Ann) /AP << /N 9 0 R >> >>] >>'),
        ],
      },
    ],
    ['empty additional actions', { objects: [pageWith('/AA << >>')] }],
    [
      'font called AA',
      {
        objects: [
          pageWith('/Resources << /Font << /AA 9 0 R /JS 9 0 R >> >>'),
          { number: 9, text: '<< /Type /Font /Subtype /Type1 >>' },
        ],
      },
    ],
    [
      'font matrix of numbers',
      {
        objects: [{ number: 9, text: '<< /Type /Font /Subtype /Type3 /FontMatrix [0.001 0 0 0.001 0 0] >>' }],
      },
    ],
    ['words in text', { objects: [catalogWith('/Info (/JavaScript /Launch \\(9 0 R\\))')] }],
    ['words in text with brackets', { objects: [catalogWith('/Info (a (b) /JavaScript (c) /Launch)')] }],
    [
      'words in page content',
      { objects: [{ number: 4, text: '', stream: Buffer.from('BT (/OpenAction /JS) Tj ET') }] },
    ],
    [
      'metadata',
      {
        objects: [
          {
            number: 9,
            text: '/Type /Metadata /Subtype /XML',
            stream: Buffer.from('<?xpacket begin=""?><x:xmpmeta/>'),
          },
        ],
      },
    ],
    [
      'calculator function',
      {
        objects: [
          { number: 9, text: '/FunctionType 4', stream: Buffer.from('{ 1 exch sub % inverts\n 0.5 mul }') },
        ],
      },
    ],
    ['objects in a stream', { objects: [], inObjectStream: [1, 2, 3] }],
    ['objects in a plain stream', { objects: [], inObjectStream: [1, 2], filters: [] }],
    ['blanks after the end', { tail: '\r\n\0\0   ' }],
    ['no line end after the end', { tail: '' }],
    ['few bytes after the end', { tail: '\n<!-- served by gateway 7 -->\n' }],
  ]
  for (const [label, shape] of cases) assertAccepted(shape, label)
})

test('files with incremental updates, linearization or a cross-reference stream are accepted', () => {
  const first = samplePdf()
  const update = Buffer.from(
    `5 0 obj\n<< /Title (x) >>\nendobj\nxref\n5 1\n0000000000 00000 n \ntrailer\n<< /Size 6 /Root 1 0 R /Prev 9 >>\nstartxref\n${first.length}\n%%EOF\n`,
  )
  assertAccepted(Buffer.concat([first, update]))

  const body = Buffer.concat(pdfBasics.map(renderPdfObject))
  const head = Buffer.from('%PDF-1.5\n')
  const table = renderPdfObject({
    number: 6,
    text: '/Type /XRef /Size 7 /W [1 2 1] /Root 1 0 R /Filter /FlateDecode /DecodeParms << /Columns 4 /Predictor 12 >>',
    stream: deflateSync(Buffer.alloc(28)),
  })
  const tableAt = head.length + body.length
  assertAccepted(Buffer.concat([head, body, table, Buffer.from(`startxref\n${tableAt}\n%%EOF\n`)]))

  const opening = Buffer.from(
    '%PDF-1.4\n8 0 obj\n<< /Linearized 1 /L 999 >>\nendobj\nxref\n8 1\n0000000009 00000 n \ntrailer\n<< /Size 9 /Root 1 0 R >>\nstartxref\n0\n%%EOF\n',
  )
  assertAccepted(Buffer.concat([opening, body, samplePdf().subarray(9)]))
})

test('each page is counted once, also in object streams', () => {
  const pages = Array.from({ length: 12 }, (_, index) => ({
    number: 20 + index,
    text: '<< /Type /Page /Parent 2 0 R >>',
  }))
  const verdict = inspectFile(
    samplePdf({ objects: [...pages, ...pages], inObjectStream: [20, 21, 22] }),
    'a.pdf',
  )
  assert.deepEqual(verdict, { outcome: 'accepted', kind: 'pdf', mediaType: 'application/pdf', pages: 13 })
  const many = Array.from({ length: PAGES_MAX }, (_, index) => ({
    number: 1000 + index,
    text: '<</Type/Page>>',
  }))
  assertRejected({ objects: many, inObjectStream: many.map(({ number }) => number) }, /more than 2000 pages/)
})
