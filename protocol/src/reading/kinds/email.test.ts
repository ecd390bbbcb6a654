// The limits of email addresses: the longest accepted parts, and one character more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { block, email, optional } from '../../field.ts'
import { readRequest } from '../read-request.ts'

const schema = block({ field: optional(email()) }, { blanks: 'kept' })

const rows: readonly [given: string, isRead: boolean][] = [
  [`${'a'.repeat(64)}@c.co`, true],
  [`${'a'.repeat(65)}@c.co`, false],
  [`a@${'c'.repeat(63)}.co`, true],
  [`a@${'c'.repeat(64)}.co`, false],
  ['a@c.co', true],
  ['a@c.o', false],
  ['a@co', false],
  ['a@c', false],
  ['a@c.1co', false],
  ['a@c.c1', true],
  ['a@c-.co', false],
  ['a@c.d-e.co', true],
  ['a@c.1.co', true],
  ['', true],
]

for (const [given, isRead] of rows)
  test(`${given.length > 20 ? `an address of ${given.length} characters` : given} is ${isRead ? 'read' : 'refused'}`, () => {
    const { value, rejections } = readRequest(schema, { field: given })
    assert.deepEqual(
      [value, rejections.map(({ code }) => code)],
      isRead ? [{ field: given }, []] : [{}, ['ERR.1009']],
    )
  })
