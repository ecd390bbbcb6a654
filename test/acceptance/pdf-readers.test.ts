/**
 * PDFs through the sdk: files of common programs are accepted, and files that two readers would read differently are
 * not.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import PdfDocument from 'pdfkit'
import { sampleJpeg, samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { openBrowser } from '../console/browser.ts'
import { applicationFor } from './applications.ts'
import { openAndFollow, refusalOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let accountNumber: string
before(async () => {
  service = await startRunningService()
  accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
})
after(() => service?.stop())

function add(content: Buffer) {
  return service.alpha.addDocument({
    documentTypeName: 'Identity Documents',
    reference: 'UTIL',
    accountNumber,
    file: { name: 'a.pdf', content },
  })
}

function writePdf(options: PDFKit.PDFDocumentOptions, draw: (document: PDFKit.PDFDocument) => void) {
  const document = new PdfDocument(options)
  const pieces: Buffer[] = []
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  document.on('data', (piece: Buffer) => pieces.push(piece))
  document.on('end', () => resolve(Buffer.concat(pieces)))
  draw(document)
  document.end()
  return promise
}

test('the forms that the service prints are accepted', async () => {
  for (const reference of ['NEWA', 'CASH', 'W9']) {
    const answer = await service.alpha.generateDocument({ accountNumber, reference })
    assert.equal((await add(Buffer.from(await answer.bytes()))).data.status, 'PendingApproval', reference)
  }
})

test('a PDF with pictures, links, an outline and form fields is accepted, compressed or not', async () => {
  for (const compress of [true, false]) {
    const pdf = await writePdf({ compress, tagged: true, displayTitle: true }, (document) => {
      document.initForm()
      document.text('A bill').link(72, 72, 100, 20, 'https://example.com').addNamedDestination('here')
      document.image(sampleJpeg(), 72, 200)
      document.formText('name', 72, 300, 200, 20, { value: 'Ann' })
      document.outline.addItem('First page')
      document.addPage().text('More').goTo(72, 72, 100, 20, 'here')
    })
    assert.equal((await add(pdf)).data.status, 'PendingApproval')
  }
})

test('a page that Chromium prints is accepted', async (context) => {
  const browser = await openBrowser()
  if (browser === undefined) return context.skip('there is no Chromium here')
  try {
    const page = await browser.newPage()
    await page.setContent('<h1>A bill</h1><a href="https://example.com">pay</a><a href="#x">down</a><p id=x>')
    for (const options of [{}, { tagged: true, outline: true }]) {
      assert.equal((await add(await page.pdf(options))).data.status, 'PendingApproval')
    }
  } finally {
    await browser.close()
  }
})

const sample = samplePdf().toString('latin1')
const framed: [what: string, text: string][] = [
  ['whose pointer to its table lies beyond its end', sample.replace(/startxref\n\d+/, 'startxref\n1234567')],
  ['without an end mark', sample.replace(/%%EOF\n$/, '')],
  ['with a mail header before its own', `Subject: a bill\r\n\r\n${sample}`],
]
for (const [what, text] of framed) {
  test(`accepted: a PDF ${what}`, async () => {
    assert.equal((await add(Buffer.from(text, 'latin1'))).data.status, 'PendingApproval')
  })
}

const script = '<< /S /JavaScript /JS (app.alert(1)) >>'
function catalog(entries: string) {
  return `<< /Type /Catalog /Pages 2 0 R ${entries} >>`
}
const packed = `77 0 1 30 (\nendstream endobj           ) ${catalog(`/OpenAction ${script}`)}`
const content = packed.replace(/ 30 /, ` ${packed.indexOf('<<') - packed.indexOf('(')} `)
function between(text: string) {
  const sound = samplePdf()
  return Buffer.concat([sound.subarray(0, 15), Buffer.from(text, 'latin1'), sound.subarray(15)])
}
function objectStream(first: string, length: string) {
  return `80 0 obj << /Type /ObjStm /N 2 /First ${first} /Length ${length} >>\nstream\n${content}\nendstream endobj\n`
}

const hostile: [what: string, bytes: () => Buffer][] = [
  [
    'an object stream whose length stands elsewhere, with an end mark inside',
    () => between(`${objectStream(`${content.indexOf('(')}`, '81 0 R')}81 0 obj ${content.length} endobj\n`),
  ],
  [
    'an object stream whose first place stands elsewhere',
    () => between(`${objectStream('82 0 R', `${content.length}`)}82 0 obj ${content.indexOf('(')} endobj\n`),
  ],
  [
    'a script as the base of its addresses',
    () =>
      samplePdf({ objects: [{ number: 1, text: catalog('/URI << /Base (javascript:alert\\(1\\)//) >>') }] }),
  ],
  [
    'a file as the base of its addresses',
    () => samplePdf({ objects: [{ number: 1, text: catalog('/URI << /Base (file:///etc/) >>') }] }),
  ],
  [
    'a script behind a bracket out of place',
    () => samplePdf({ objects: [{ number: 1, text: catalog(`/X [ >> ] /OpenAction ${script}`) }] }),
  ],
  [
    'a script in an object before the header',
    () => Buffer.concat([Buffer.from(`1 0 obj ${catalog(`/OpenAction ${script}`)} endobj\n`), samplePdf()]),
  ],
  [
    'a page before a header that stands too far',
    () => Buffer.concat([Buffer.alloc(1_020, ' '), samplePdf()]),
  ],
  ['no page', () => samplePdf({ objects: [{ number: 2, text: '<< /Type /Pages /Kids [] /Count 0 >>' }] })],
  ['an end that is cut off', () => samplePdf().subarray(0, -40)],
  [
    'a page tree that holds itself',
    () => samplePdf({ objects: [{ number: 2, text: '<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 2 >>' }] }),
  ],
]
for (const [what, bytes] of hostile) {
  test(`refused: ${what}`, async () => {
    const { status, rejections } = await refusalOf(add(bytes()))
    assert.deepEqual(
      [status, rejections.map(({ code, field }) => `${code} ${field}`)],
      [415, ['ERR.1023 file']],
    )
  })
}
