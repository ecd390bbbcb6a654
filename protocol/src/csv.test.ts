import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsvText, renderCsvCell } from './csv.ts'

for (const text of [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(A1)',
  '＝HYPERLINK(1)',
  '＋1+1',
  '－1+1',
  '＠SUM(A1)',
  '﹢1',
  '﹦1',
  '−1',
  '\t=1',
  '\r=1',
  '\n=1',
  '  =1',
  '\u00a0＝1',
  '\ufeff=1',
  '\u200b＠x',
]) {
  test(`a spreadsheet does not execute ${JSON.stringify(text)}`, () => {
    const cell = renderCsvCell(text)
    assert.match(cell, /^"?'/)
    assert.equal(readCsvText(contentOf(cell)), text)
  })
}

for (const text of ['', 'JOHN', "O'BRIEN", '-5', '-12.50', "'", "'x", "'-5", '5-3', 'a=b', '（1）', 'Ⓐ']) {
  test(`${JSON.stringify(text)} is unchanged`, () => {
    assert.equal(renderCsvCell(text), text)
    assert.equal(readCsvText(text), text)
  })
}

test('separators, quotes and line breaks are quoted, and the quoted text is read back unchanged', () => {
  assert.equal(renderCsvCell('a,b'), '"a,b"')
  assert.equal(renderCsvCell('say "x"'), '"say ""x"""')
  assert.equal(renderCsvCell('a;=1'), '"a;=1"')
  for (const text of ["'=1", "''＝1", 'x\r\ny', "'\t1"]) {
    assert.equal(readCsvText(contentOf(renderCsvCell(text))), text)
  }
})

function contentOf(cell: string) {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
}
