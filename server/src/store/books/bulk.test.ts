import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rows } from './bulk.ts'

function textOf(rows: Rows): string {
  return rows.bytes().toString('utf8')
}

test('texts are in quotes, and their quotes and backslashes are doubled, also after other letters', () => {
  const rows = new Rows(1)
  rows.add('a,b', '', 'say "no"', 'C:\\', 'Zürich "é\\"', null, 5, 6n, true)
  assert.equal(textOf(rows), '("a,b","","say ""no""","C:\\\\","Zürich ""é\\\\""",,5,6,true)')
})

test('a row can be written cell by cell', () => {
  const rows = new Rows(1)
  rows.begin()
  rows.plain('M1', null, 7)
  rows.text(undefined)
  rows.text('ß"')
  rows.joined(['x', '', '"y"'], '\t')
  rows.beginQuoted()
  rows.part('{1,')
  rows.quotedPart('\\')
  rows.endQuoted()
  rows.end()
  assert.equal(textOf(rows), '(M1,,7,,"ß""","x\t\t""y""","{1,\\\\")')
})

test('rows with places are sent in the order of their places', () => {
  const rows = new Rows()
  for (const place of [30, 10, 20]) {
    rows.begin(place)
    rows.plain(place)
    rows.end()
  }
  assert.equal(textOf(rows), '(10)\n(20)\n(30)')
  assert.equal(rows.count, 3)
})
