import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { inspectFile } from './inspect-file.ts'
import { PAGES_MAX } from './limits.ts'
import type { PdfObject, PdfShape } from './sample-files.ts'
import { pdfBasics, renderPdfObject, samplePdf } from './sample-files.ts'

const [catalog, , page] = pdfBasics
const catalogWith = (entries: string): PdfObject => ({
  number: 1,
  text: `<< /Type /Catalog /Pages 2 0 R ${entries} >>`,
})
const pageWith = (entries: string): PdfObject => ({
  number: 3,
  text: `${page?.text.slice(0, -2)} ${entries} >>`,
})
const link = (action: string, rectangle = '[72 700 200 720]') =>
  pageWith(`/Annots [<< /Type /Annot /Subtype /Link /Rect ${rectangle} /A ${action} >>]`)

function judge(bytes: Buffer): string {
  const verdict = inspectFile(bytes, 'a.pdf')
  return verdict.outcome === 'accepted' ? 'accepted' : verdict.outcome === 'rejected' ? verdict.reason : ''
}

const render = (shape: PdfShape | Buffer) => ('length' in shape ? shape : samplePdf(shape))

function assertAccepted(shape: PdfShape | Buffer, label = 'a PDF'): void {
  assert.equal(judge(render(shape)), 'accepted', label)
}

function assertRejected(shape: PdfShape | Buffer, reason: RegExp, label = 'a PDF'): void {
  assert.match(judge(render(shape)), reason, label)
}

/** Each row: what it is, the objects that make it so. */
const active: [label: string, objects: PdfObject[]][] = [
  ['script on opening', [catalogWith('/OpenAction << /S /JavaScript /JS (app.alert(1)) >>')]],
  [
    'script on opening, by reference',
    [catalogWith('/OpenAction 9 0 R'), { number: 9, text: '<< /S /JavaScript /JS 10 0 R >>' }],
  ],
  [
    'script by names',
    [
      catalogWith('/Names << /JavaScript << /Names [(a) 9 0 R] >> >>'),
      { number: 9, text: '<< /S /JavaScript /JS (x) >>' },
    ],
  ],
  [
    'script type by reference',
    [catalogWith('/OpenAction << /S 9 0 R >>'), { number: 9, text: '/JavaScript' }],
  ],
  [
    'script of a field',
    [catalogWith('/AcroForm << /Fields [<< /FT /Tx /T (a) /AA << /K << /S /JavaScript /JS (x) >> >> >>] >>')],
  ],
  [
    'script after a jump',
    [catalogWith('/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next << /S /JavaScript /JS (x) >> >>')],
  ],
  ['web address on opening', [catalogWith('/OpenAction << /S /URI /URI (https://example.com) >>')]],
  [
    'web address on opening, by reference',
    [catalogWith('/OpenAction 9 0 R'), { number: 9, text: '<< /S /URI /URI (https://example.com) >>' }],
  ],
  ['printing on opening', [catalogWith('/OpenAction << /S /Named /N /Print >>')]],
  ['opening action that is nowhere', [catalogWith('/OpenAction 77 0 R')]],
  [
    'jump with a sequel on opening',
    [catalogWith('/OpenAction 9 0 R'), { number: 9, text: '<< /S /GoTo /D [3 0 R] /Next 10 0 R >>' }],
  ],
  ['document actions', [catalogWith('/AA << /WC << /S /URI /URI (https://example.com) >> >>')]],
  [
    'page actions by reference',
    [pageWith('/AA 9 0 R'), { number: 9, text: '<< /O << /S /Named /N /NextPage >> >>' }],
  ],
  ['program', [link('<< /S /Launch /F (calc.exe) >>')]],
  ['program for Windows', [link('<< /S /Launch /Win << /F (cmd) /O /print >> >>')]],
  ['other file', [link('<< /S /GoToR /F (b.pdf) /D [0 /Fit] >>')]],
  ['embedded target', [link('<< /S /GoToE /T << /R /C >> >>')]],
  ['thread in another file', [link('<< /S /Thread /F << /Type /Filespec /F (//host/b.pdf) >> /D 0 >>')]],
  ['form data', [link('<< /S /SubmitForm /F << /FS /URL /F (https://example.com) >> >>')]],
  ['import of data', [link('<< /S /ImportData /F (a.fdf) >>')]],
  ['media', [link('<< /S /Rendition /OP 0 >>')]],
  ['movie', [link('<< /S /Movie /T (a) >>')]],
  ['sound', [link('<< /S /Sound /Sound 9 0 R >>')]],
  ['rich media', [pageWith('/Annots [<< /Subtype /RichMedia /Rect [0 0 9 9] >>]')]],
  ['3D', [pageWith('/Annots [<< /Subtype /3D /Rect [0 0 9 9] >>]')]],
  ['attachment by names', [catalogWith('/Names << /EmbeddedFiles << /Names [(a) 9 0 R] >> >>')]],
  [
    'attachment by file specification',
    [{ number: 9, text: '<< /Type /Filespec /F (a.exe) /EF << /F 10 0 R >> >>' }],
  ],
  [
    'attachment as annotation',
    [pageWith('/Annots [<< /Subtype /FileAttachment /Rect [0 0 9 9] /FS 9 0 R >>]')],
  ],
  [
    'associated file',
    [
      catalogWith('/AF [9 0 R]'),
      { number: 9, text: '<< /Type /Filespec /EF 10 0 R /AFRelationship /Data >>' },
    ],
  ],
  ['XFA form', [catalogWith('/AcroForm << /Fields [] /XFA 9 0 R >>')]],
  ['script address', [link('<< /S /URI /URI (java\\tscript:alert\\(1\\)) >>')]],
  ['file address', [link('<< /S /URI /URI (file:///etc/passwd) >>')]],
  ['office address', [link('<< /S /URI /URI (vnd.sun.star.expand:HOME) >>')]],
  ['network path as address', [link('<< /S /URI /URI (\\\\\\\\host\\\\share) >>')]],
  ['network path', [{ number: 9, text: '<< /Type /Filespec /UF (\\\\\\\\host\\\\share) >>' }]],
  ['page-wide link', [link('<< /S /URI /URI (https://example.com) >>', '[0 0 612 792]')]],
  [
    'page-wide link by reference',
    [link('9 0 R', '[0 0 595 842]'), { number: 9, text: '<< /S /URI /URI (https://example.com) >>' }],
  ],
  [
    'two actions in one link',
    [
      pageWith(
        '/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A << /S /GoTo /D [3 0 R] >> /A << /S /GoTo /D [3 0 R] >> >>]',
      ),
    ],
  ],
  [
    'font matrix',
    [{ number: 9, text: '<< /Type /Font /Subtype /Type1 /FontMatrix [1 0 0 1 0 (0\\); alert\\(1\\)] >>' }],
  ],
  [
    'markup in an annotation',
    [pageWith('/Annots [<< /Subtype /Text /Rect [0 0 9 9] /T (<img src=x onerror=alert\\(1\\)>) >>]')],
  ],
  ['PostScript', [{ number: 9, text: '<< /Type /XObject /Subtype /PS >>' }]],
  ['remote page', [{ number: 9, text: '<< /Type /XObject /Ref << /F (b.pdf) /Page 0 >> >>' }]],
  ['remote picture', [{ number: 9, text: '<< /Type /Filespec /FS /URL /F (https://example.com/a.png) >>' }]],
]

/** Names with #xx in place of every second letter. */
const hideNames = (text: string) =>
  text.replace(/\/([A-Za-z][A-Za-z0-9]*)/g, (_, name: string) => {
    const letters = [...name].map((letter, index) =>
      index % 2 ? letter : `#${letter.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
    return `/${letters.join('')}`
  })
/** Strings as octal escapes. */
const hideStrings = (text: string) =>
  text.replace(/\(((?:[^()\\]|\\.)*)\)/g, (_, body: string) => {
    const plain = body.replace(/\\(.)/g, (_, char: string) => ({ t: '\t', n: '\n' })[char] ?? char)
    return `(${[...plain].map((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')})`
  })

const obfuscations: [label: string, (objects: PdfObject[]) => PdfShape][] = [
  ['plain', (objects) => ({ objects })],
  [
    'names',
    (objects) => ({ objects: objects.map((object) => ({ ...object, text: hideNames(object.text) })) }),
  ],
  [
    'strings',
    (objects) => ({ objects: objects.map((object) => ({ ...object, text: hideStrings(object.text) })) }),
  ],
  ['object stream', (objects) => ({ objects, inObjectStream: objects.map(({ number }) => number) })],
  [
    'all of it',
    (objects) => ({
      objects: objects.map((object) => ({ ...object, text: hideNames(hideStrings(object.text)) })),
      inObjectStream: objects.map(({ number }) => number),
      filters: ['ASCIIHexDecode', 'FlateDecode'],
    }),
  ],
]

test('active content of every kind is refused, plain and at every level of hiding', () => {
  for (const [label, objects] of active) {
    for (const [level, hide] of obfuscations) {
      assertRejected(
        hide(objects),
        /active content/,
        `${label}, ${level}: ${JSON.stringify(hide(objects).objects)}`,
      )
    }
  }
})

test('a stream whose data lie in another file is refused', () => {
  const remote = { number: 9, text: '/Type /XObject /Subtype /Image /F (a.png)', stream: Buffer.from('x') }
  assertRejected({ objects: [remote] }, /content in another file/)
})

test('active content is refused without a table, an end mark or a right pointer', () => {
  const script = renderPdfObject(catalogWith('/OpenAction << /S /JavaScript /JS (x) >>'))
  assertRejected(Buffer.concat([Buffer.from('%PDF-1.7\n'), script]), /JavaScript/)
  assertRejected(
    Buffer.from(
      '%PDF-1.4\n1 0 obj\n<<>>\ntrailer << /Root << /Pages <<>> /OpenAction << /S/JavaScript /JS(x) >> >> >>',
    ),
    /JavaScript/,
  )
})

test('active content is found where tolerant readers would find it', () => {
  const action = '/OpenAction << /S /JavaScript /JS (x) >>'
  const cases: [string, PdfObject[]][] = [
    ['dictionary left open', [{ number: 1, text: `<< /Type /Catalog /Pages 2 0 R ${action}` }]],
    ['behind endobj', [{ number: 1, text: `<< /Type /Catalog /Pages 2 0 R endobj ${action} >>` }]],
    ['behind a stray bracket', [{ number: 1, text: `<< /Type /Catalog ] > ) /Pages 2 0 R ${action} >>` }]],
    ['behind a number too many', [{ number: 1, text: `<< /Type /Catalog /Pages 2 0 R 17 ${action} >>` }]],
    ['behind a string with an object in it', [catalogWith(`/Title (9 0 obj %) ${action}`)]],
    ['behind a comment', [{ number: 1, text: `<< /Type /Catalog % >> (\n ${action} /Pages 2 0 R >>` }]],
    ['inside a stream', [{ number: 9, text: '', stream: Buffer.from(`9 0 obj << ${action} >> endobj`) }]],
    ['in an older revision', [catalogWith(action), catalogWith('')]],
    ['name in hex after a null', [catalogWith('/X null /#4fpenAction<</S/#4AavaScript>>')]],
    ['in metadata of nothing', [{ number: 9, text: `[[[<< ${action} >>]]]` }]],
  ]
  for (const [label, objects] of cases) {
    const file = Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      ...objects.map(renderPdfObject),
      samplePdf().subarray(9),
    ])
    assertRejected(file, /active content/, label)
  }
})

test('what ordinary documents have is accepted', () => {
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

test('incremental updates, linearized and cross-reference-stream files are accepted', () => {
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

test('pages are counted once, in object streams too', () => {
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

test('encrypted PDFs are refused, whichever way the table is written', () => {
  assertRejected({ trailer: '/Encrypt 9 0 R' }, /encrypted/)
  assertRejected({ trailer: '/#45ncrypt << /Filter /Standard >>' }, /encrypted/)
  assertRejected(
    { objects: [{ number: 9, text: '/Type /XRef /W [1 1 1] /Encrypt 8 0 R', stream: Buffer.alloc(3) }] },
    /encrypted/,
  )
  assertAccepted({ trailer: '/Encrypt null' })
})

test('a PDF that is no document is refused', () => {
  const cases: [string, Buffer, RegExp][] = [
    ['header only', Buffer.from('%PDF-1.4\n%%EOF'), /cross-reference/],
    ['header too far', Buffer.concat([Buffer.alloc(1_020, '\n'), samplePdf()]), /none of the allowed/],
    ['no version', Buffer.concat([Buffer.from('%PDF-x'), samplePdf().subarray(6)]), /version/],
    ['version 9', Buffer.concat([Buffer.from('%PDF-9'), samplePdf().subarray(6)]), /version/],
    ['end too far from the end', samplePdf({ tail: ' '.repeat(1100) }), /too early/],
    ['data after the end', samplePdf({ tail: `\n${'x'.repeat(65)}` }), /after the end/],
    [
      'pointer of letters',
      Buffer.from(
        samplePdf()
          .toString('latin1')
          .replace(/startxref\n\d+/, 'startxref\nabc'),
        'latin1',
      ),
      /pointer/,
    ],
    ['no catalogue', samplePdf({ objects: [{ number: 1, text: '<< /Type /Font >>' }] }), /catalogue/],
    ['no root', Buffer.from(samplePdf().toString('latin1').replace('/Root', '/Boot'), 'latin1'), /catalogue/],
  ]
  for (const [label, bytes, reason] of cases) assertRejected(bytes, reason, label)
  assert.ok(catalog)
})

test('what stands before a header is no part of a PDF and begins no other format', () => {
  const junk: [string, RegExp][] = [
    ['1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n', /before its header/],
    ['xref\n0 1\n', /before its header/],
    ['trailer\n', /before its header/],
    ['1 0 obj << /OpenAction << /S /JavaScript /JS (x) >> >> endobj\n', /JavaScript/],
    ['MZ\x90\0', /program/],
    ['#!/bin/sh\nexit\n', /program/],
    ['%!PS-Adobe-3.0\n', /program/],
    ['GIF89a', /picture/],
    ['\x89PNG\r\n\x1a\n', /PNG/],
    ['{\\rtf1 ', /office/],
    ['<svg onload=alert(1)>', /web page/],
    ['\xef\xbb\xbf <?xml version="1.0"?>', /web page/],
    ['PK\x03\x04', /archive/],
  ]
  for (const [text, reason] of junk) {
    assertRejected(Buffer.concat([Buffer.from(text, 'latin1'), samplePdf()]), reason, text)
  }
  // A table that leads to another object when its places are counted from the header.
  const sound = samplePdf({ objects: [{ number: 9, text: '[3 0 R /Fit]' }] })
  const decoy = sound.indexOf('9 0 obj') + 10
  const table = `9 1\n${String(decoy).padStart(10, '0')} 00000 n \ntrailer`
  const led = (text: string) => Buffer.from(text.replace('trailer', table), 'latin1')
  const hidden = sound.toString('latin1').replace('9 0 obj\n[3 0 R /Fit]', '9 0 obj\n(   9 0 obj null )')
  assertRejected(led(hidden), /differently/, 'as it is')
  assertRejected(led(`junk\n${hidden}`), /differently/, 'counted from the header')
})

test('a PDF cut off at any of fifty places is refused', () => {
  for (const shape of [{}, { objects: [], inObjectStream: [1, 2, 3] }]) {
    const sound = samplePdf(shape)
    for (let part = 1; part < 50; part++) {
      assertRejected(sound.subarray(0, Math.floor((sound.length * part) / 50)), /./, `${part}/50`)
    }
  }
})

test('objects that cannot be looked into are refused', () => {
  const packed = (text: string, stream: Buffer): PdfShape => ({ objects: [{ number: 9, text, stream }] })
  const flate = deflateSync(Buffer.from('10 0 << /A 1 >>'))
  assertRejected(packed('/Type /ObjStm /N 1 /First 5 /Filter /LZWDecode', flate), /cannot be checked/)
  assertRejected(packed('/Type /ObjStm /N 1 /First 5 /Filter 8 0 R', flate), /cannot be checked/)
  assertRejected(packed('/Type /ObjStm /N 1 /First 5 /Filter /Crypt', flate), /cannot be checked/)
  assertRejected(
    packed('/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode', Buffer.from('not deflated')),
    /cannot be checked/,
  )
  assertRejected(
    packed('/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode /DecodeParms << /Predictor 12 >>', flate),
    /cannot be checked/,
  )
})

test('an object stream with a wrong checksum, length, type or count is looked into all the same', () => {
  const objects = '11 0 12 8 << /A 1 >><< /S /JavaScript >>'
  const deflated = deflateSync(Buffer.from(objects))
  const wrongSum = Buffer.from(deflated).fill(0, deflated.length - 4)
  const cases: [string, string, Buffer][] = [
    ['wrong checksum', '/Type /ObjStm /N 2 /First 10 /Filter /FlateDecode', wrongSum],
    ['cut off', '/Type /ObjStm /N 2 /First 10 /Filter /FlateDecode', deflated.subarray(0, -4)],
    ['no type', '/N 2 /First 10 /Filter /FlateDecode', deflated],
    ['count too small', '/Type /ObjStm /N 1 /First 10 /Filter /FlateDecode', deflated],
    ['places by reference', '/Type /ObjStm /N 7 0 R /First 8 0 R /Filter /Fl', deflated],
    [
      'end mark inside, length right',
      '/Type /ObjStm /N 2 /First 10',
      Buffer.from(`11 0 12 20 (endstream          )<< /S /JavaScript >>`),
    ],
  ]
  for (const [label, text, stream] of cases) {
    assertRejected({ objects: [{ number: 9, text, stream }] }, /JavaScript/, label)
  }
})

test('compressed objects that expand too far are refused', () => {
  const bomb = deflateSync(Buffer.alloc(40 * 1024 * 1024, 0x20), { level: 9 })
  assert.ok(bomb.length < 50_000)
  const text = '/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode'
  assertRejected({ objects: [{ number: 9, text, stream: bomb }] }, /expand too far/)
  const half = deflateSync(Buffer.alloc(20 * 1024 * 1024, 0x20))
  const two = [9, 10].map((number) => ({ number, text, stream: half }))
  assertRejected({ objects: two }, /expand too far/)
  const nested = deflateSync(deflateSync(Buffer.alloc(40 * 1024 * 1024, 0x20)))
  assertRejected(
    {
      objects: [
        { number: 9, text: text.replace('/Flate', '[/FlateDecode /Flate').concat(']'), stream: nested },
      ],
    },
    /expand too far/,
  )
})

test('metadata that declares entities and functions that are not calculations are refused', () => {
  const xml = Buffer.from(
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "https://example.com">]><a>&x;</a>',
  )
  const metadata = (stream: Buffer, filter = '') => ({
    objects: [{ number: 9, text: `/Type /Metadata /Subtype /XML ${filter}`, stream }],
  })
  assertRejected(metadata(xml), /metadata/)
  assertRejected(metadata(deflateSync(xml), '/Filter /FlateDecode'), /metadata/)
  assertRejected(metadata(Buffer.from(xml.toString(), 'utf16le')), /metadata/)
  const script = Buffer.from('{ fetch("https://example.com") }')
  assertRejected({ objects: [{ number: 9, text: '/FunctionType 4', stream: script }] }, /function/)
})

test('structures made to be read without end are refused, or accepted after one reading', () => {
  const wrap = (body: Buffer | string) => {
    const sound = samplePdf()
    return Buffer.concat([sound.subarray(0, 15), Buffer.from(body as string), sound.subarray(15)])
  }
  const megabyte = 1_000_000
  const cases: [string, string][] = [
    ['deep arrays', '9 0 obj '.concat('['.repeat(megabyte))],
    ['deep dictionaries', '9 0 obj '.concat('<</A'.repeat(megabyte / 4))],
    ['objects left open', '9 0 obj << '.repeat(megabyte / 11)],
    ['strings left open', '9 0 obj ( '.repeat(megabyte / 10)],
    ['streams left open', '9 0 obj <</First 1>> stream\n'.repeat(megabyte / 27)],
    ['headers in a row', '1 0 obj\n'.repeat(megabyte)],
    [
      'headers of many objects',
      Array.from({ length: megabyte / 2 }, (_, index) => `${index} 0 obj\n`).join(''),
    ],
    ['tables in a row', 'xref 0 9999999 15 0 n '.repeat(megabyte / 4)],
    ['trailers left open', 'trailer << '.repeat(megabyte / 11)],
    ['numbers in a row', `9 0 obj [${'1 '.repeat(megabyte)}] endobj `],
    ['names in a row', `9 0 obj [${'/A'.repeat(2 * megabyte)}] endobj `],
    ['blanks between numbers', `9 0 obj [${`1${' '.repeat(999)}`.repeat(megabyte / 1000)}] endobj `],
    ['comments', '%\n'.repeat(megabyte)],
    ['hex left open', `9 0 obj <${'41'.repeat(megabyte / 2)}`],
    ['escapes', `9 0 obj (${'\\'.repeat(megabyte)}`],
  ]
  for (const [label, body] of cases) assert.ok(judge(wrap(body)), label)
})

test('no mutant of a PDF makes the inspection throw, and each is answered', () => {
  const samples = [
    samplePdf(),
    samplePdf({
      objects: [catalogWith('/OpenAction [3 0 R /Fit]'), link('<< /S /URI /URI (https://a.b) >>')],
      inObjectStream: [1, 3],
    }),
    samplePdf({ objects: active[0]?.[1] ?? [], inObjectStream: [1] }),
  ]
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc
      .constantFrom(
        '<<',
        '>>',
        '[',
        '(',
        ')',
        '<',
        '%',
        'obj',
        '9 0 obj',
        'stream\n',
        'endstream',
        '/First 3',
        '#',
        '\\',
        '1 0 R',
      )
      .map((text) => Buffer.from(text)),
  )
  fc.assert(
    fc.property(
      fc.nat(2),
      fc.array(fc.tuple(fc.nat(), piece), { minLength: 1, maxLength: 6 }),
      (sample, edits) => {
        let bytes = samples[sample] ?? assert.fail()
        for (const [place, inserted] of edits) {
          const at = place % bytes.length
          bytes = Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + (place % 3))])
        }
        assert.ok(judge(bytes))
      },
    ),
    { numRuns: 2000 },
  )
})
