import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Term, termOf } from './term.ts'

describe('a lot is Long if it was held for more than one year', () => {
  const rows: [string, string, Term][] = [
    ['2020-01-15', '2021-01-15', 'Short'],
    ['2020-01-15', '2021-01-16', 'Long'],
    ['2020-01-15', '2020-12-31', 'Short'],
    ['2020-12-31', '2021-12-31', 'Short'],
    ['2020-12-31', '2022-01-01', 'Long'],
    ['2020-02-29', '2021-02-28', 'Short'],
    ['2020-02-29', '2021-03-01', 'Long'],
    ['2023-02-28', '2024-02-28', 'Short'],
    ['2023-02-28', '2024-02-29', 'Short'],
    ['2023-02-28', '2024-03-01', 'Long'],
    ['2024-02-28', '2025-02-28', 'Short'],
    ['2024-02-28', '2025-03-01', 'Long'],
    ['2015-04-30', '2016-05-01', 'Long'],
    ['1990-06-01', '2024-01-01', 'Long'],
  ]
  for (const [from, to, term] of rows) {
    test(`a lot acquired ${from} and sold ${to} is ${term}`, () =>
      assert.equal(termOf('long', from, to), term))
  }
  test('a short position is Short, however long it was held', () => {
    assert.equal(termOf('short', '1990-01-01', '2024-01-01'), 'Short')
  })
})
