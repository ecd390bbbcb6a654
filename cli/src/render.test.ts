import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnsOf } from './columns.ts'
import { renderJson } from './render-json.ts'
import { renderRecord, renderTable } from './render-text.ts'
import { listOf } from './show.ts'
import { makeTestTerminal } from './test-terminal.ts'

const people = makeTestTerminal({ isTty: true, columns: 40 })
const pipe = makeTestTerminal()

test('operations with columns of their own have a list', () => {
  for (const name of Object.keys(columnsOf)) assert.ok(listOf(name as keyof typeof columnsOf), name)
})

test('JSON contains decimals digit for digit, and other texts unchanged', () => {
  const decimals = new Set(['price'])
  const value = { price: '12345678901234567.8900', name: '1.5', rows: [{ price: '-0.10' }, { price: 'n/a' }] }
  assert.equal(
    renderJson(value, decimals),
    '{"price":12345678901234567.8900,"name":"1.5","rows":[{"price":-0.10},{"price":"n/a"}]}',
  )
  for (const text of ['"\\u00001"', '\\"\u00001', 'a,"\u00001']) {
    const others = { text, price: '1.50' }
    assert.equal(renderJson(others, decimals), `{"text":${JSON.stringify(text)},"price":1.50}`)
  }
})

test('a table aligns numbers at the right, omits empty columns, and names the columns that do not fit', () => {
  const rows = [
    { symbol: 'TIDL', quantity: '350', note: '', long: 'x'.repeat(60), last: 'y' },
    { symbol: 'PIERS', quantity: '-20.5', note: null, long: '', last: 'z' },
  ]
  assert.deepEqual(renderTable(rows, pipe, ['symbol', 'quantity', 'note']).lines, [
    'symbol  quantity',
    'TIDL         350',
    'PIERS      -20.5',
  ])
  const { lines, left } = renderTable(rows, people)
  assert.deepEqual(left, ['long', 'last'])
  assert.equal(lines[0], 'symbol  quantity')
  assert.equal(renderTable(rows, pipe).left.length, 0)
})

test('a table counts the columns that characters take on a terminal, and cuts no character in two', () => {
  const wide = '\u{20bb7}'
  const rows = [
    { name: '太郎 한글', after: 'a' },
    { name: 'Z\u0335\u0301OE', after: 'b' },
    { name: '👩‍👩‍👧 ❤\ufe0f', after: 'c' },
    { name: 'ADA MORENO', after: 'd' },
  ]
  assert.deepEqual(renderTable(rows, pipe).lines, [
    'name        after',
    '太郎 한글   a',
    'Z\u0335\u0301OE         b',
    '👩‍👩‍👧 ❤\ufe0f       c',
    'ADA MORENO  d',
  ])
  const long = [{ name: `A${wide.repeat(20)}` }, { name: wide.repeat(20) }, { name: 'x'.repeat(41) }]
  assert.deepEqual(renderTable(long, people).lines.slice(1), [
    `A${wide.repeat(19)}…`,
    wide.repeat(20),
    `${'x'.repeat(39)}…`,
  ])
})

test('a record omits empty values, and has records and lists below their names', () => {
  const record = {
    a: 1,
    empty: '',
    none: [],
    inner: { b: true, c: { d: '' } },
    rows: [{ e: 'x' }],
    texts: ['p', 'q'],
  }
  assert.deepEqual(renderRecord(record, pipe), [
    'a      1',
    'texts  p, q',
    'inner',
    '  b  true',
    'rows',
    '  e',
    '  x',
  ])
})

test('rows that contain lists are shown as records, one below the other', () => {
  const lists = [
    { name: 'a', values: [{ value: 'x' }] },
    { name: 'b', values: [] },
  ]
  assert.deepEqual(renderRecord({ lists }, pipe), [
    'lists',
    '  name  a',
    '  values',
    '    value',
    '    x',
    '',
    '  name  b',
  ])
})

test('control characters in a text do not reach the terminal', () => {
  const [line] = renderRecord({ name: 'a\u001b[31mb\nc\u202ed' }, pipe)
  assert.equal(line, 'name  a [31mb c d')
})
