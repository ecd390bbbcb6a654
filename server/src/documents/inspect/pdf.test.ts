import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PdfObject, PdfShape } from './sample-files.ts'
import { renderPdfObject, samplePdf } from './sample-files.ts'
import { assertRejected, catalogWith, judge, link, pageWith } from './test-pdf-verdicts.ts'

/** Each row: a kind of active content, and the objects that contain it. */
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
  ['opening action without a target', [catalogWith('/OpenAction 77 0 R')]],
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

/** Writes every second letter of each name as #xx. */
function hideNames(text: string) {
  return text.replace(/\/([A-Za-z][A-Za-z0-9]*)/g, (_, name: string) => {
    const letters = [...name].map((letter, index) =>
      index % 2 ? letter : `#${letter.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
    return `/${letters.join('')}`
  })
}
/** Writes strings as octal escapes. */
function hideStrings(text: string) {
  return text.replace(/\(((?:[^()\\]|\\.)*)\)/g, (_, body: string) => {
    const plain = body.replace(/\\(.)/g, (_, char: string) => ({ t: '\t', n: '\n' })[char] ?? char)
    return `(${[...plain].map((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')})`
  })
}

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

test('active content of every kind is refused, plain and at every level of obfuscation', () => {
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

test('a stream whose data is in another file is refused', () => {
  const remote = { number: 9, text: '/Type /XObject /Subtype /Image /F (a.png)', stream: Buffer.from('x') }
  assertRejected({ objects: [remote] }, /content in another file/)
})

test('active content is refused in a PDF without a table, an end mark or a correct pointer', () => {
  const script = renderPdfObject(catalogWith('/OpenAction << /S /JavaScript /JS (x) >>'))
  assertRejected(Buffer.concat([Buffer.from('%PDF-1.7\n'), script]), /JavaScript/)
  assertRejected(
    Buffer.from(
      '%PDF-1.4\n1 0 obj\n<<>>\ntrailer << /Root << /Pages <<>> /OpenAction << /S/JavaScript /JS(x) >> >> >>',
    ),
    /JavaScript/,
  )
})

test('active content is refused wherever a lenient reader would find it', () => {
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

test('no mutant of a PDF makes the inspection throw, and each mutant gets a verdict', () => {
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
