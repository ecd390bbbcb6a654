import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { inspectFile } from '../inspect-file.ts'
import { samplePdf } from '../sample-files.ts'
import { readAgain } from '../second-reader.ts'
import { partsOf } from './payloads.ts'
import type { Draft, Token } from './write-pdf.ts'
import { writePdf } from './write-pdf.ts'

function latin1(text: string) {
  return Buffer.from(text, 'latin1')
}
function change(bytes: Buffer, find: RegExp | string, replacement: string) {
  const changed = bytes.toString('latin1').replace(find, replacement)
  assert.notEqual(changed, bytes.toString('latin1'), `${find} is not there`)
  return latin1(changed)
}

function draft(shape: Partial<Draft> = {}): Draft {
  return {
    parts: partsOf({ label: '', catalog: '/OpenAction 9 0 R', parts: [{ number: 9, text: '[3 0 R /Fit]' }] }),
    packed: new Set(),
    compressed: true,
    table: 'table',
    hidden: new Map(),
    update: [],
    spell: (_, plain) => plain,
    ...shape,
  }
}

const packed = new Set([1, 2, 3, 9])
const nine = { number: 9, text: '[3 0 R /FitH 700]' }
/** Spells one token in another way at every position. */
function spelt(token: Token, spelling: string | ((plain: string) => string), shape: Partial<Draft> = {}) {
  return writePdf(
    draft({
      ...shape,
      spell: (asked, plain) =>
        asked !== token ? plain : typeof spelling === 'string' ? spelling : spelling(plain),
    }),
  )
}

/** A cross-reference stream with predicted rows, which most writers produce. */
function predicted(): Buffer {
  const bytes = writePdf(draft({ table: 'stream', packed, compressed: false }))
  const at = bytes.indexOf('91 0 obj')
  const stream = bytes.indexOf('stream\n', at) + 7
  const count = Number(/\/Length (\d+)/.exec(bytes.toString('latin1', at))?.[1])
  const rows = bytes.subarray(stream, stream + count)
  const coded = Buffer.alloc((count / 7) * 8)
  for (let row = 0; row < count / 7; row++) {
    coded[row * 8] = 2
    for (let column = 0; column < 7; column++) {
      const above = row > 0 ? (rows[(row - 1) * 7 + column] ?? 0) : 0
      coded[row * 8 + 1 + column] = (rows[row * 7 + column] ?? 0) - above
    }
  }
  const data = deflateSync(coded)
  const head = bytes
    .toString('latin1', at, stream)
    .replace(/\/Length \d+/, `/Length ${data.length}`)
    .replace('/Type', '/Filter /FlateDecode /DecodeParms << /Columns 7 /Predictor 12 >> /Type')
  return Buffer.concat([bytes.subarray(0, at), latin1(head), data, bytes.subarray(stream + count)])
}

/** Files as real writers produce them, each slightly outside the standard or at its edge. */
const ordinary: [what: string, bytes: () => Buffer][] = [
  ['a table', () => writePdf(draft())],
  ['a cross-reference stream', () => writePdf(draft({ table: 'stream' }))],
  ['packed objects', () => writePdf(draft({ table: 'stream', packed }))],
  [
    'packed objects that are not compressed',
    () => writePdf(draft({ table: 'stream', packed, compressed: false })),
  ],
  ['both kinds of table', () => writePdf(draft({ table: 'hybrid', packed }))],
  ['predicted rows', predicted],
  ['an update', () => writePdf(draft({ update: [{ number: 9, text: '[3 0 R /FitH 700]' }] }))],
  [
    'an update with a stream',
    () => writePdf(draft({ table: 'stream', packed, update: [{ number: 9, text: 'null' }] })),
  ],
  [
    'an update without a line end before it',
    () => change(writePdf(draft({ update: [{ number: 9, text: '[3 0 R /Fit]' }] })), '%%EOF\n9', '%%EOF9'),
  ],
  [
    'lengths in other objects',
    () => spelt('length', '20 0 R', { parts: [...draft().parts, { number: 20, text: '15' }] }),
  ],
  [
    'a number right before the end of its object',
    () =>
      change(
        spelt('length', '20 0 R', { parts: [...draft().parts, { number: 20, text: '15' }] }),
        '15\nendobj',
        '15endobj',
      ),
  ],
  ['no line end between objects', () => change(writePdf(draft()), /\nendobj\n(?=\d)/g, '\n endobj')],
  ['no end of an object', () => spelt('endobj', '')],
  ['a length that is wrong, of a page', () => change(writePdf(draft()), '/Length 15', '/Length 12')],
  ['no length, of a page', () => change(writePdf(draft()), '/Length 15', '')],
  ['line ends of two bytes', () => spelt('stream', 'stream\r\n')],
  ['a line end of one odd byte, of a page', () => spelt('stream', 'stream\r')],
  ['no line end before the end of data', () => spelt('endstream', 'endstream')],
  ['filters in a list', () => spelt('filter', '[/FlateDecode]', { table: 'stream', packed })],
  [
    'comments between packed objects',
    () =>
      writePdf(
        draft({
          table: 'stream',
          packed,
          parts: draft().parts.map((part) =>
            part.stream ? part : { ...part, text: `${part.text} % Object` },
          ),
        }),
      ),
  ],
  ['table lines of 19 bytes', () => change(writePdf(draft()), / n \n/g, ' n\n')],
  ['a table moved by new line ends', () => change(writePdf(draft()), /\n/g, '\r\n')],
  ['old line ends', () => change(writePdf(draft()), /\n/g, '\r')],
  ['a table without a target', () => spelt('place', '0000000003')],
  ['no line end at the end', () => change(writePdf(draft()), /%%EOF\n$/, '%%EOF')],
  ['blanks at the end', () => Buffer.concat([writePdf(draft()), latin1('\r\n\0\0\0')])],
  [
    'a line of a mail gateway at the end',
    () => Buffer.concat([writePdf(draft()), latin1('\r\n--=_boundary_7--\r\n')]),
  ],
  ['a pointer beyond the end', () => spelt('pointer', '99999999')],
  [
    'a pointer beyond the end, of an update',
    () => spelt('pointer', (plain) => `9${plain}`, { update: [nine] }),
  ],
  ['no end mark', () => change(writePdf(draft()), /%%EOF\n$/, '')],
  [
    'no end mark of an update',
    () => change(writePdf(draft({ table: 'stream', update: [nine] })), /\n%%EOF\n$/, ''),
  ],
  ['half an end mark', () => change(writePdf(draft({ table: 'stream', packed })), /EOF\n$/, '')],
  [
    'a line of a mail gateway instead of the end mark',
    () => change(writePdf(draft()), /%%EOF\n$/, '--=_b--\r\n'),
  ],
  ...Object.entries({
    'a line end': '\r\n',
    'a byte order mark': '\xef\xbb\xbf',
    'the headers of a web server': 'HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n',
    'a header of 128 bytes': `\0\x08bill.pdf${'\0'.repeat(118)}`,
    'the largest number of bytes': '.'.repeat(1_019),
  }).flatMap(([what, junk]): typeof ordinary => [
    [`${what} before the header`, () => Buffer.concat([latin1(junk), writePdf(draft())])],
    [
      `${what} before the header, and offsets counted from it`,
      () => writePdf(draft({ before: junk, table: 'stream', packed })),
    ],
  ]),
  [
    'entries repeated with the same value',
    () => change(writePdf(draft()), '/Type /Page ', '/Type /Page /Type /Page '),
  ],
  ['numbers in unusual forms', () => change(writePdf(draft()), '[0 0 612 792]', '[-0 .0 +612 792.]')],
  ['names with escapes', () => change(writePdf(draft()), '/MediaBox', '/Media#42ox')],
  [
    'a dictionary without blanks',
    () =>
      change(
        writePdf(draft()),
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      ),
  ],
  [
    'words of the structure in a text',
    () =>
      change(
        writePdf(draft()),
        '/Type /Catalog',
        '/Lang (obj endobj stream xref startxref trailer) /Type /Catalog',
      ),
  ],
  ['no second table entry', () => samplePdf()],
]

test('files of many real writers are accepted by both readers', async () => {
  for (const [what, make] of ordinary) {
    const bytes = make()
    const verdict = inspectFile(bytes, 'a.pdf')
    assert.equal(verdict.outcome, 'accepted', `${what}: ${JSON.stringify(verdict)}`)
    assert.equal(await readAgain(bytes), undefined, what)
  }
})
