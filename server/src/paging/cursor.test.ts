/** A cursor is read back to the values from which it was written, and rejects every value that a column cannot hold. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cursorOf, dotted, spaced } from './cursor.ts'
import {
  accountNumber,
  day,
  either,
  marked,
  oneOf,
  time,
  uuid,
  whole,
  words,
  yesNo,
} from './cursor-fields.ts'

const id = '0198f0a0-0000-7000-8000-00000000000f'
const at = '2026-01-31T14:30:00.123456Z'
function encoded(value: unknown) {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

test('a cursor of any form is read back to the values from which it was written', () => {
  const listed = cursorOf('list-audit', [time, uuid, whole(9), yesNo, words(20)])
  assert.deepEqual(listed.read(listed.write([at, id, 9, false, 'ZOË, "A".B C'])), [
    at,
    id,
    9,
    false,
    'ZOË, "A".B C',
  ])
  const logged = cursorOf('list-requests', [time, uuid], spaced)
  assert.deepEqual(logged.read(logged.write([at, id])), [at, id])
  const calls = cursorOf('list-calls', [accountNumber, oneOf('Fed', 'Maintenance'), day], dotted)
  assert.equal(calls.write(['30100001', 'Fed', '2026-01-31']), '30100001.Fed.2026-01-31')
  assert.deepEqual(calls.read('30100001.Fed.2026-01-31'), ['30100001', 'Fed', '2026-01-31'])
})

test('a cursor belongs to its list, and one of an earlier build to each list with such values', () => {
  for (const spelling of [undefined, spaced]) {
    const [one, other] = (['list-loads', 'list-changes'] as const).map((list) =>
      cursorOf(list, [time, uuid], spelling),
    )
    const written = one?.write([at, id]) ?? ''
    assert.deepEqual([one?.read(written), other?.read(written)], [[at, id], undefined])
  }
  assert.deepEqual(cursorOf('list-loads', [time, uuid]).read(encoded([at, id])), [at, id])
})

const cursor = cursorOf('list-loads', [time, uuid])
for (const [what, text] of [
  ['no base64', '💥'],
  ['no JSON', Buffer.from('[').toString('base64url')],
  ['no array', encoded({ 0: at, 1: id })],
  ['one value too few', encoded([at])],
  ['one value too many', encoded([at, id, id])],
  ['a value that is not a text', encoded([1, id])],
  ['31 February', encoded(['2026-02-31T00:00:00Z', id])],
  ['29 February of a year that is not a leap year', encoded(['2025-02-29T00:00:00.000000Z', id])],
  ['the month 13', encoded(['2026-13-01T00:00:00.000000Z', id])],
  ['the hour 24', encoded(['2026-01-01T24:00:00.000000Z', id])],
  ['a leap second', encoded(['2026-06-30T23:59:60.000000Z', id])],
  ['the year 0', encoded(['0000-01-01T00:00:00.000000Z', id])],
  ['another zone', encoded(['2026-01-01T00:00:00.000000+01:00', id])],
  ['infinity', encoded(['infinity', id])],
  ['no uuid', encoded([at, `${id}0`])],
] as const)
  test(`${what} is not a cursor`, () => assert.equal(cursor.read(text), undefined))

test('the values of a cursor are limited to the values that their columns can hold', () => {
  assert.deepEqual(
    [whole(32_767)('32767'), whole(32_767)('32768'), whole(9, 1)('0')],
    [32_767, undefined, undefined],
  )
  for (const no of ['-1', '1e3', '1.5', ' 1', '', '99999999999999999', 1])
    assert.equal(whole(32_767)(no), undefined)
  for (const no of ['a\0b', '\ud800', 'x'.repeat(6)]) assert.equal(words(5)(no), undefined)
  for (const no of ['2026-02-31', '0000-01-01', '2026-1-1', '2026-01-01T']) assert.equal(day(no), undefined)
  assert.deepEqual([day('2024-02-29'), day('9999-12-31')], ['2024-02-29', '9999-12-31'])
  const start = either(accountNumber, marked('day:', day))
  assert.deepEqual(['30100001', 'day:2026-01-31'].map(start), ['30100001', 'day:2026-01-31'])
  for (const no of ['day:', 'day:2026-02-31', '2026-01-31', 'x:2026-01-31'])
    assert.equal(start(no), undefined)
})
