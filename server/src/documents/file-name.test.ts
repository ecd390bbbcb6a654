import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanDisplayName, nameDownload, readFileName } from './file-name.ts'

const accepted: [name: string, kind: string][] = [
  ['a.pdf', 'pdf'],
  ['a.jpg', 'jpeg'],
  ['a.jpeg', 'jpeg'],
  ['a.bmp', 'bmp'],
  ['a.png', 'png'],
  ['a.tiff', 'tiff'],
  ['a.tif', 'tiff'],
  ['A.PDF', 'pdf'],
  ['a.Jpg', 'jpeg'],
  ['a.JPEG', 'jpeg'],
  ['a.BmP', 'bmp'],
  ['a.PNG', 'png'],
  ['a.TIFF', 'tiff'],
  ['a.tIf', 'tiff'],
  ['W-9 signed (final).pdf', 'pdf'],
  ['statement.2024.12.pdf', 'pdf'],
  ['Mr. J.S. Smith.pdf', 'pdf'],
  ['example.com.pdf', 'pdf'],
  ['scan.pdf.pdf', 'pdf'],
  ['scan.jpg.jpeg', 'jpeg'],
  ['Node.js notes.pdf', 'pdf'],
  ['Führerschein Rückseite.jpg', 'jpeg'],
  ['身分証明書.png', 'png'],
  ['نامه\u200cها.pdf', 'pdf'],
  ['.hidden.pdf', 'pdf'],
  ['100%.pdf', 'pdf'],
  ["O'Brien & sons; copy.pdf", 'pdf'],
  [`${'x'.repeat(251)}.pdf`, 'pdf'],
]

const refused: string[] = [
  '',
  'a',
  'pdf',
  '.pdf',
  '..pdf',
  ' .pdf',
  'a.exe',
  'a.gif',
  'a.svg',
  'a.heic',
  'a.webp',
  'a.docx',
  'a.pdfx',
  'a.jpe',
  'a.jp2',
  'a.pdf.exe',
  'a.pdf.zip',
  'a.exe.pdf',
  'a.EXE.pdf',
  'a.php.jpg',
  'a.html.png',
  'a.js.pdf',
  'a.svg.png',
  'a.exe .pdf',
  'a.exe                                        .pdf',
  'a.php%00.pdf',
  'a.asp;.jpg',
  'a.jpg.pdf',
  'a.pdf.jpg',
  'a.tif.png',
  'a.pdf%00.jpg',
  'a.pdf.',
  'a.pdf..',
  'a.pdf ',
  'a.pdf\t',
  'a.pdf\u00a0',
  ' a.pdf',
  'a.pdf\0',
  'a.pdf\0.jpg',
  'a\0.pdf',
  'a\n.pdf',
  'a\r\n.pdf',
  'a\u0007.pdf',
  'a\u007f.pdf',
  'a\u0085.pdf',
  'a\u202efdp.exe',
  'exe.\u202efdp.pdf',
  'a\u2066b.pdf',
  'a\u200e.pdf',
  'a\u200b.pdf',
  'a\ufeff.pdf',
  'a\u2028.pdf',
  'a\ud800.pdf',
  '/etc/passwd.pdf',
  '../a.pdf',
  '..\\a.pdf',
  'C:\\a.pdf',
  'a/b.pdf',
  'a／b.pdf',
  'a.pdf/',
  'a.ｐｄｆ',
  'a．pdf',
  'a.pdf::$DATA',
  `${'x'.repeat(252)}.pdf`,
]

test('names with the seven extensions are accepted in any letter case', () => {
  for (const [name, kind] of accepted) assert.deepEqual(readFileName(name), { kind }, JSON.stringify(name))
})

test('names with other, double, hidden or misleading extensions or with paths are refused, and the error does not contain them', () => {
  for (const name of refused) {
    const verdict = readFileName(name)
    assert.ok(verdict.problem, JSON.stringify(name))
    if (name.length > 6) assert.ok(!verdict.problem.includes(name))
  }
})

test('every text is accepted or refused, and an accepted name ends in an allowed extension', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string().map((text) => `${text}.pdf`),
      ),
      (name) => {
        const verdict = readFileName(name)
        if (verdict.kind) assert.match(name, /.\.(?:pdf|jpe?g|bmp|png|tiff?)$/iu)
        else assert.ok(verdict.problem)
      },
    ),
  )
})

test('a display name has no invisible characters and keeps the visible ones', () => {
  assert.equal(cleanDisplayName('  Utility \t\r\n bill\u202e\u0000 2024 ', 100), 'Utility bill 2024')
  assert.equal(cleanDisplayName('Cafe\u0301', 100), 'Café')
  assert.equal(cleanDisplayName('👩‍👩‍👧 family', 100), '👩‍👩‍👧 family')
  assert.equal(cleanDisplayName('\ud800x', 100), '\ufffdx')
  assert.equal(cleanDisplayName('😀'.repeat(10), 4), '😀'.repeat(4))
  assert.equal(cleanDisplayName('ab cd', 3), 'ab')
})

test('a download has the display name with the extension of its real type', () => {
  assert.equal(nameDownload('Utility bill', 'pdf'), 'Utility bill.pdf')
  assert.equal(nameDownload('bill.PDF', 'pdf'), 'bill.PDF')
  assert.equal(nameDownload('bill.exe', 'pdf'), 'bill.exe.pdf')
  assert.equal(nameDownload('photo.pdf', 'jpeg'), 'photo.pdf.jpg')
  assert.equal(nameDownload('pdf', 'pdf'), 'pdf.pdf')
  assert.equal(nameDownload('../..\\etc:pass', 'tiff'), '_.._etc_pass.tif')
  assert.equal(nameDownload(' .. ', 'png'), 'document.png')
})
