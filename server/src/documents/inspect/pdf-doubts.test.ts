import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { inspectFile } from './inspect-file.ts'
import type { PdfObject, PdfShape } from './sample-files.ts'
import { pdfBasics, renderPdfObject, samplePdf } from './sample-files.ts'

function latin1(text: string) {
  return Buffer.from(text, 'latin1')
}
const script = '<< /S /JavaScript /JS (app.alert(1)) >>'
function catalog(entries: string) {
  return `<< /Type /Catalog /Pages 2 0 R ${entries} >>`
}
const scripted = catalog(`/OpenAction ${script}`)

function judge(bytes: Buffer): string {
  const verdict = inspectFile(bytes, 'a.pdf')
  return verdict.outcome === 'rejected' ? verdict.reason : 'accepted'
}

function assertRefused(shape: PdfShape | Buffer, label: string): void {
  assert.notEqual(judge(Buffer.isBuffer(shape) ? shape : samplePdf(shape)), 'accepted', label)
}

function assertAccepted(shape: PdfShape | Buffer, label: string): void {
  assert.equal(judge(Buffer.isBuffer(shape) ? shape : samplePdf(shape)), 'accepted', label)
}

/** A valid document with the given bytes between its objects. */
function withObjects(...objects: (Buffer | string)[]): Buffer {
  const sound = samplePdf()
  const added = objects.map((object) => (typeof object === 'string' ? latin1(object) : object))
  return Buffer.concat([sound.subarray(0, 15), ...added, sound.subarray(15)])
}

/** A valid document whose cross-reference table, or the pointer to it, gives an offset for an object. */
function leadTo(bytes: Buffer, number: number, place: number): Buffer {
  const row = `${number} 1\n${String(place).padStart(10, '0')} 00000 n \ntrailer`
  return latin1(bytes.toString('latin1').replace('trailer', row))
}

type Stream = { text: string; data: string | Buffer }
/** An object stream with the given bytes, whatever its declared length. */
function raw(number: number, { text, data }: Stream) {
  return Buffer.concat([
    latin1(`${number} 0 obj\n<< ${text} >>\nstream\n`),
    Buffer.from(data),
    latin1('\nendstream\nendobj\n'),
  ])
}

test('an object stream whose length, first offset, count or filter can be read in two ways is refused', () => {
  const pairs = '1 0 '
  const content = `${pairs}${catalog('')}`
  const sound = `/Type /ObjStm /N 1 /First ${pairs.length}`
  assertAccepted(withObjects(raw(80, { text: `${sound} /Length ${content.length}`, data: content })), 'sound')
  const elsewhere = `81 0 obj ${content.length} endobj\n`
  const cases: [string, Stream, string?][] = [
    ['length too small', { text: `${sound} /Length ${content.length - 3}`, data: content }],
    ['length too large', { text: `${sound} /Length ${content.length + 3}`, data: content }],
    ['no length', { text: sound, data: content }],
    [
      'length in another object, defined twice',
      { text: `${sound} /Length 81 0 R`, data: content },
      `${elsewhere}81 0 obj 7 endobj\n`,
    ],
    ['length that is missing', { text: `${sound} /Length 81 0 R`, data: content }],
    ['length with a sign', { text: `${sound} /Length +${content.length}`, data: content }],
    ['length twice', { text: `${sound} /Length ${content.length} /Length 9`, data: content }],
    [
      'first offset in another object',
      { text: `/Type /ObjStm /N 1 /First 82 0 R /Length ${content.length}`, data: content },
      '82 0 obj 4 endobj\n',
    ],
    [
      'first offset with a point',
      { text: `/Type /ObjStm /N 1 /First 4.0 /Length ${content.length}`, data: content },
    ],
    [
      'first offset too early',
      { text: `/Type /ObjStm /N 1 /First 2 /Length ${content.length}`, data: content },
    ],
    ['count too large', { text: `/Type /ObjStm /N 2 /First 4 /Length ${content.length}`, data: content }],
    [
      'count elsewhere',
      { text: `/Type /ObjStm /N 82 0 R /First 4 /Length ${content.length}`, data: content },
      '82 0 obj 1 endobj\n',
    ],
    ['no type', { text: `/N 1 /First 4 /Length ${content.length}`, data: content }],
    ['another type', { text: `/Type /Foo /N 1 /First 4 /Length ${content.length}`, data: content }],
    [
      'text between',
      {
        text: `/Type /ObjStm /N 1 /First 8 /Length ${content.length + 4}`,
        data: `${pairs}(a) ${catalog('')}`,
      },
    ],
    [
      'filter elsewhere',
      { text: `${sound} /Filter 83 0 R /Length 60`, data: deflateSync(content) },
      '83 0 obj /FlateDecode endobj\n',
    ],
  ]
  for (const [label, stream, further = ''] of cases)
    assertRefused(withObjects(raw(80, stream), further), label)
})

test('a length that is defined once in another object is accepted, and so is a comment among packed objects', () => {
  const content = `1 0 ${catalog('')} % a comment\n`
  const text = '/Type /ObjStm /N 1 /First 4 /Length 81 0 R'
  assertAccepted(
    withObjects(raw(80, { text, data: content }), `81 0 obj ${content.length} endobj\n`),
    'elsewhere',
  )
})

test('an end mark inside the data of an object stream does not end the stream', () => {
  const decoy = '(\nendstream endobj 9 0 obj null)'
  const pairs = `77 0 1 ${decoy.length + 1} `
  for (const further of [scripted, catalog('')]) {
    const content = `${pairs}${decoy} ${further}`
    const text = `/Type /ObjStm /N 2 /First ${pairs.length}`
    const length = `81 0 obj ${content.length} endobj\n`
    assertRefused(
      withObjects(raw(80, { text: `${text} /Length 81 0 R`, data: content }), length),
      'elsewhere',
    )
    assertRefused(
      withObjects(raw(80, { text: `${text} /Length ${content.length}`, data: content })),
      'direct',
    )
  }
})

test('an object stream whose beginning or end is ambiguous is refused, even if it is harmless', () => {
  const content = '7 0 (\nendstream )'
  const text = `/Type /ObjStm /N 1 /First 4 /Length ${content.length}`
  assertRefused(withObjects(raw(80, { text, data: content })), 'end mark inside')
  const plain = '7 0 (a)'
  const head = `80 0 obj << /Type /ObjStm /N 1 /First 4 /Length ${plain.length} >> stream`
  assertAccepted(withObjects(`${head}\r\n${plain}\nendstream endobj\n`), 'two bytes')
  for (const lineEnd of ['\r', ' \n', '']) {
    assertRefused(withObjects(`${head}${lineEnd}${plain}\nendstream endobj\n`), JSON.stringify(lineEnd))
  }
})

test('a stream among packed objects and packed objects that overlap are refused', () => {
  const inner = `9 0 ${script}`
  const nested = `<< /Type /ObjStm /N 1 /First 4 /Length ${inner.length} >> stream\n${inner}\nendstream`
  const cases = [
    `7 0 ${nested}`,
    `7 0 8 2 << /A << >> >>`,
    `7 9 8 0 << /A 1 >>  << >>`,
    `7 0 8 12 << /A 1 >> (x)`,
  ]
  for (const content of cases) {
    const first = content.search(/<</)
    const count = content.slice(0, first).trim().split(' ').length / 2
    const text = `/Type /ObjStm /N ${count} /First ${first} /Length ${content.length}`
    assertRefused(withObjects(raw(80, { text, data: content })), content)
  }
})

test('misplaced brackets, keys and texts are refused, even if they hide nothing', () => {
  const pieces = [
    '/X [ >> ]',
    '/X ]',
    ']',
    '>',
    ')',
    '{',
    '}',
    '/X',
    '17',
    '(a)',
    '/X <4z>',
    '/X 1 R',
    '/X +9 0 R',
  ]
  const further = [
    '/X 9.0 0 R',
    '/X endobj',
    '/X stream',
    '/X BI',
    '/X foo',
    '/X /a#4',
    '/X /a#00b',
    '/X [ 1 << ]',
    'null',
  ]
  for (const piece of [...pieces, ...further]) {
    for (const tail of [`/OpenAction ${script}`, '']) {
      assertRefused({ objects: [{ number: 1, text: catalog(`${piece} ${tail}`) }] }, `${piece} ${tail}`)
    }
  }
})

test('an important entry is refused if it has two different values, and accepted if it has the same value twice', () => {
  assertRefused({ objects: [{ number: 9, text: '<< /Type /Font /Type /Pages >>' }] }, 'type')
  assertRefused({ objects: [{ number: 9, text: '<< /Kids [3 0 R] /Kids [4 0 R] >>' }] }, 'kids')
  assertRefused({ trailer: '/Root 9 0 R' }, 'root')
  assertAccepted(
    { objects: [{ number: 9, text: '<< /Type /Font /Type /Font /Widths [1] /Widths [2] >>' }] },
    'the same',
  )
})

test('an object header inside a text, a comment or the data of a stream is refused, however it is written', () => {
  const hidden = `9 0 obj ${catalog('')} endobj`
  const spellings = [
    hidden,
    hidden.replace('9 0', '+9 0'),
    hidden.replace('9 0', '9.0 0'),
    hidden.replace('9 0', '9e0 0'),
  ]
  for (const text of spellings) {
    assertRefused({ objects: [{ number: 8, text: `<< /Title (${text}) >>` }] }, `text: ${text}`)
    assertRefused({ objects: [{ number: 8, text: '', stream: latin1(text) }] }, `stream: ${text}`)
  }
  assertRefused(
    { objects: [{ number: 8, text: '', stream: latin1('trailer << /Root 9 0 R >>') }] },
    'trailer',
  )
  assertAccepted(
    { objects: [{ number: 8, text: '', stream: latin1('BT (the obj of 9) Tj (xref) Tj ET') }] },
    'words',
  )
})

test('an object header whose number is ambiguous is refused', () => {
  for (const header of [
    '+9 0 obj',
    '9.0 0 obj',
    '9 0-0 obj',
    '9 %c\n0 obj',
    '9 0obj',
    '4294967305 0 obj',
    '9 99999 obj',
    'x9 0 obj',
  ]) {
    assertRefused(withObjects(`${header} [3 0 R /Fit] endobj\n`), header)
  }
  for (const header of ['09 0 obj', '9 1 obj', '9\r0\tobj', 'endobj9 0 obj', '%%EOF9 0 obj']) {
    assertAccepted(withObjects(`${header} [3 0 R /Fit] endobj\n`), header)
  }
})

test('a cross-reference table that leads into another object or to an object of another number is refused', () => {
  const opening = catalog('/OpenAction 9 0 R')
  const decoy: PdfObject[] = [
    { number: 1, text: opening },
    { number: 9, text: '[3 0 R /Fit]' },
    { number: 119, text: '<< /S /URI /URI (https://example.com) >>' },
  ]
  const bytes = samplePdf({ objects: decoy })
  assertAccepted(bytes, 'as it is')
  assertRefused(leadTo(bytes, 9, bytes.indexOf('119 0 obj') + 2), 'into a number')
  assertAccepted(leadTo(bytes, 9, bytes.indexOf('119 0 obj') + 5), 'to nothing')

  const list = latin1('\0\0\0\x01\0\0\x02\0\x50\0')
  const table = { number: 91, text: `/Type /XRef /Size 99 /W [1 2 1] /Root 1 0 R`, stream: Buffer.alloc(0) }
  const packed = raw(80, { text: '/Type /ObjStm /N 1 /First 4 /Length 16', data: '7 0 [3 0 R /Fit]' })
  const row = (number: number) => ({
    ...table,
    text: `${table.text} /Index [${number} 1]`,
    stream: list.subarray(6),
  })
  assertAccepted(withObjects(packed, renderPdfObject(row(7))), 'a packed object under its number')
  assertRefused(withObjects(packed, renderPdfObject(row(9))), 'a packed object under another number')
})

test('a cross-reference stream that is hidden in an object is refused if startxref or /Prev leads to it', () => {
  for (const header of ['+91 0 obj', '91 %c\n0 obj']) {
    const hidden = `${header} << /Type /XRef /Size 9 /W [1 4 2] /Root 1 0 R /Length 0 >> stream\n\nendstrea`
    const bytes = withObjects(renderPdfObject({ number: 70, text: '', stream: latin1(hidden) }))
    const text = bytes.toString('latin1')
    const place = bytes.indexOf(header)
    for (const pointer of [place, 2 ** 32 + place])
      assertRefused(latin1(text.replace(/startxref\n\d+/, `startxref\n${pointer}`)), `by the end: ${header}`)
    assertRefused(
      latin1(text.replace('trailer\n<<', `trailer\n<< /Prev ${place}`)),
      `by a trailer: ${header}`,
    )
  }
})

test('fields of a cross-reference stream that are wide enough to overflow in some readers are refused', () => {
  const table = (rows: Buffer) =>
    withObjects(
      renderPdfObject({ number: 91, text: '/Type /XRef /Size 1 /W [1 8 1] /Root 1 0 R', stream: rows }),
    )
  assertAccepted(table(Buffer.of(1, 0, 0, 0, 0, 0, 0, 0, 15, 0)), 'small')
  assertRefused(table(Buffer.of(1, 0, 0, 0, 1, 0, 0, 0, 15, 0)), 'beyond 32 bits')
})

test('an address, a file name, a font matrix or a rectangle in another object is checked there', () => {
  const link = (action: string, rectangle = '[9 9 99 20]') => ({
    number: 3,
    text: `${pdfBasics[2]?.text.slice(0, -2)} /Annots [<< /Type /Annot /Subtype /Link /Rect ${rectangle} /A ${action} >>] >>`,
  })
  const nine = (text: string): PdfObject => ({ number: 9, text })
  const refused: [string, PdfObject[]][] = [
    ['address', [link('<< /S /URI /URI 9 0 R >>'), nine('(javascript:alert\\(1\\))')]],
    ['base address', [{ number: 1, text: catalog('/URI << /Base (javascript:alert\\(1\\)//) >>') }]],
    ['base address of files', [{ number: 1, text: catalog('/URI << /Base (file:///etc/) >>') }]],
    [
      'base address in another object',
      [{ number: 1, text: catalog('/URI << /Base 9 0 R >>') }, nine('(file:///)')],
    ],
    ['address in UTF-8', [link('<< /S /URI /URI (\xef\xbb\xbfjavascript:1) >>')]],
    ['address in little-endian UTF-16', [link('<< /S /URI /URI <FFFE66006900 6C0065003A00> >>')]],
    ['address behind many blanks', [link(`<< /S /URI /URI (${' '.repeat(3_000)}javascript:1) >>`)]],
    ['address of endless length', [link(`<< /S /URI /URI (https://a.b/${'a'.repeat(20_000)}) >>`)]],
    ['address with a soft hyphen', [link('<< /S /URI /URI (java\xadscript:1) >>')]],
    ['action type in another object', [link('<< /S 9 0 R /URI (https://a.b) >>'), nine('/URI')]],
    ['font matrix', [nine('[1 0 0 1 0 (x)]'), { number: 10, text: '<< /Type /Font /FontMatrix 9 0 R >>' }]],
    [
      'font matrix in pieces',
      [nine('(x)'), { number: 10, text: '<< /Type /Font /FontMatrix [1 0 0 1 0 9 0 R] >>' }],
    ],
    [
      'network path',
      [nine('(\\\\\\\\host\\\\share)'), { number: 10, text: '<< /Type /Filespec /UF 9 0 R >>' }],
    ],
    ['page-wide link', [link('<< /S /URI /URI (https://a.b) >>', '9 0 R'), nine('[0 0 612 792]')]],
    [
      'actions with the type of a font',
      [
        { number: 3, text: `${pdfBasics[2]?.text.slice(0, -2)} /AA 9 0 R >>` },
        nine('<< /Type /Font /O << /S /URI /URI (https://a.b) >> >>'),
      ],
    ],
    [
      'file system in another object',
      [nine('/URL'), { number: 10, text: '<< /Type /Filespec /FS 9 0 R /F (https://a.b) >>' }],
    ],
    [
      'key that ends at the byte 80',
      [{ number: 1, text: catalog('/OpenAction\x80 9 0 R') }, nine('<< /S /URI /URI (https://a.b) >>')],
    ],
  ]
  for (const [label, objects] of refused) {
    assertRefused({ objects }, label)
    assertRefused({ objects, inObjectStream: objects.map(({ number }) => number) }, `${label}, packed`)
  }
  assertAccepted(
    { objects: [link('<< /S /URI /URI 9 0 R >>'), nine('(https://example.com)')] },
    'web address',
  )
  assertAccepted({ objects: [link('<< /S /URI /URI (\xef\xbb\xbfhttps://a.b) >>')] }, 'web address in UTF-8')
  assertAccepted({ objects: [{ number: 1, text: catalog('/URI << /Base (https://a.b/) >>') }] }, 'web base')
})
