/** Rows for tests of the kinds of fields: a value, and the read value or the error code. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TSchema } from 'typebox'
import { block, optional } from '../../field.ts'
import { readRequest } from '../read-request.ts'

export type Row = readonly [given: unknown, read: unknown]
export type Kinds = Record<string, { kind: TSchema; rows: readonly Row[] }>

/** Rejected with this code. */
export function E(code: string) {
  return { code }
}

export function read(kind: TSchema, given: unknown) {
  return readRequest(block({ field: optional(kind) }, { blanks: 'kept' }), { field: given })
}

export function testKinds(kinds: Kinds): void {
  for (const [sentence, { kind, rows }] of Object.entries(kinds)) {
    describe(sentence, () => {
      for (const [given, due] of rows)
        test(JSON.stringify(given).slice(0, 60), () => testRow(kind, given, due))
    })
  }

  test('no reason repeats the rejected value', () => {
    const secret = 'Zq7!kW'
    for (const { kind } of Object.values(kinds)) {
      const { rejections } = read(kind, `${secret}\u202e${secret.repeat(40)}`)
      for (const { reason } of rejections)
        assert.ok(!reason.toLowerCase().includes(secret.toLowerCase()), reason)
    }
  })

  // A quadratic algorithm would take minutes.
  test('a megabyte in any kind of field is read in linear time', { timeout: 60_000 }, () => {
    const pieces = ['a', ' ', '\u0301', 'a\u0327\u0301', '\u{1f600}', 'a@', 'a.', '-', '1', '\n', 'ß', 'a ']
    for (const { kind } of Object.values(kinds)) {
      for (const piece of pieces) read(kind, piece.repeat(1_048_576 / piece.length))
    }
  })
}

function testRow(kind: TSchema, given: unknown, due: unknown): void {
  const { value, rejections } = read(kind, given)
  if (due !== null && typeof due === 'object' && 'code' in due) {
    assert.deepEqual(
      rejections.map((rejection) => rejection.code),
      [due.code],
    )
  } else {
    assert.deepEqual(rejections, [])
    assert.deepEqual(value, { field: due })
  }
}
