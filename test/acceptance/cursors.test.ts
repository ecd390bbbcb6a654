/**
 * No text that is sent as a cursor causes a fault. The tests forge many cursors for every operation that takes one. A
 * cursor with an impossible value, such as a day that does not exist, is rejected at its field.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isErrorCode } from '@clearing/protocol'
import { makeRandom, type Random } from '../faults/random.ts'
import { repetitions } from '../repetitions.ts'
import { type ListedRows, placedOperations, shapeOf, startListedRows } from './listed-rows.ts'
import type { RawAnswer } from './running-service.ts'

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
/** More than `pieces`, each of which is sent once. */
const forgedPerMember = repetitions(60, 180)

let lists: ListedRows
before(async () => {
  lists = await startListedRows()
})
after(() => lists?.service.stop())

/** Values with the shape of sort keys: some are real, most are not. */
const impossible = [
  '2026-02-31T00:00:00Z',
  '2026-02-30T00:00:00.000000Z',
  '2026-13-01T00:00:00.000000Z',
  '2026-01-00T00:00:00.000000Z',
  '2026-01-01T24:00:00.000000Z',
  '2026-01-01T00:60:00.000000Z',
  '2026-01-01T00:00:60.000000Z',
  '0000-01-01T00:00:00.000000Z',
  '2025-02-29T12:00:00.000000Z',
  '2026-02-31',
  '0000-01-01',
  '2026-99-99',
] as const
const pieces = [
  ...impossible,
  '2026-01-31T14:30:00.123456Z',
  '9999-12-31T23:59:59.999999Z',
  '2026-01-31',
  'infinity',
  'now',
  '',
  '\0',
  'a\0b',
  '\ud800',
  "'; drop table clearing.account --",
  '30100001',
  'ZZZZZZZZ',
  '00000000-0000-7000-8000-000000000001',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '0',
  '-1',
  '1',
  '32768',
  '2147483648',
  '9223372036854775807',
  '9223372036854775808',
  '99999999999999999999',
  '999999999999999999',
  '1e5',
  'NaN',
  'Fed',
  'Maintenance',
  'Document.00000000-0000-7000-8000-000000000001',
  'day:2026-02-31',
  'day:',
  'accountNumber',
  'ascend',
] as const

function encoded(text: string): string {
  return Buffer.from(text).toString('base64url')
}

function forge(random: Random, real: string): string {
  const some = (count: number) => Array.from({ length: count }, () => random.pick<unknown>(pieces))
  const plain = () => some(random.whole(1, 3)).join(random.pick(['.', ' ', ':', '']))
  switch (random.whole(0, 6)) {
    case 0:
      return encoded(JSON.stringify(some(random.whole(1, 5))))
    case 1:
      return encoded(plain())
    case 2:
      return plain()
    case 3:
      return encoded(
        JSON.stringify(random.pick<unknown>([null, 1, 'x', {}, [null], [1, 2], [[]], [{}], [true]])),
      )
    case 4:
      return Buffer.from(Array.from({ length: random.whole(0, 40) }, () => random.whole(0, 255))).toString(
        'base64url',
      )
    case 5:
      return flipped(random, real)
    default:
      return tampered(random, real)
  }
}

/** A real cursor with one character changed. */
function flipped(random: Random, real: string): string {
  if (real === '') return '2026'
  const at = random.whole(0, real.length - 1)
  return real.slice(0, at) + random.pick([...'0aZ-_9']) + real.slice(at + 1)
}

/** A real cursor with one of its values replaced by another, in the spelling of its own list. */
function tampered(random: Random, real: string): string {
  const text = Buffer.from(real, 'base64url').toString()
  try {
    const values = JSON.parse(text) as unknown[]
    values[random.whole(0, values.length - 1)] = random.pick<unknown>([...pieces, true, null, 7])
    return encoded(JSON.stringify(values))
  } catch {
    const parts = real.split('.')
    if (parts.length === 1) return encoded([random.pick(pieces), ...text.split(' ').slice(1)].join(' '))
    parts[random.whole(0, parts.length - 1)] = random.pick(pieces)
    return parts.join('.')
  }
}

/** Lists whose first page of one row has a next page, whatever is in the books. */
function leadsOn(name: string) {
  const without = [
    'verify-books',
    'list-audit-heads',
    'list-corrections',
    'list-margin-interest',
    'list-closes',
    'list-statements',
    'list-corporate-actions',
    'list-action-entitlements',
    'list-notifications',
    'list-incidents',
  ]
  return !without.includes(name)
}

function isPointInTime(value: unknown) {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
}

/** A real cursor with each of its times and days replaced by one that does not exist. */
function withoutDays(real: string): string[] {
  const text = Buffer.from(real, 'base64url').toString()
  const replaced = (values: readonly unknown[], write: (values: readonly unknown[]) => string) =>
    values.flatMap((value, at) =>
      isPointInTime(value) ? impossible.map((no) => write(values.with(at, no))) : [],
    )
  try {
    return replaced(JSON.parse(text), (values) => encoded(JSON.stringify(values)))
  } catch {
    if (real.includes('.')) return replaced(real.split('.'), (values) => values.join('.'))
    return replaced(text.split(' '), (values) => encoded(values.join(' ')))
  }
}

describe(`forged cursors (SEED=${seed})`, () => {
  for (const { name, operation, member } of placedOperations(['after', 'cursor', 'afterLine'])) {
    test(`${name} by ${member}`, async () => {
      const random = makeRandom(seed)
      const isNumber = shapeOf(operation).properties?.[member]?.type === 'integer'
      const sized = shapeOf(operation).properties?.size === undefined ? {} : { size: 1 }
      const ask = (place: unknown) =>
        lists.ask(name, operation, {
          ...lists.requestOf(operation),
          ...sized,
          ...(place ? { [member]: place } : {}),
        })
      const first = await ask(undefined)
      assert.equal(first.status, 200, first.text)
      const { next } = first.json.data as { next: string }
      if (leadsOn(name)) assert.notEqual(next, '', 'there is a second page')
      if (next !== '' && !isNumber) assert.equal((await ask(next)).status, 200)
      const refused = (answer: RawAnswer, what: string) => {
        assert.equal(answer.status, 400, `${what}: ${answer.status} ${answer.text}`)
        const [{ code, field }] = answer.json.errors
        assert.deepEqual([isErrorCode(code), field], [true, member], what)
      }
      for (const text of withoutDays(next))
        refused(await ask(text), Buffer.from(text, 'base64url').toString())
      for (let count = 0; count < forgedPerMember; count += 1) {
        const text = pieces[count] ?? forge(random, next)
        const place = isNumber && /^[0-9]+$/.test(text) ? Number(text) : text
        const answer = await ask(place)
        const what = `${JSON.stringify(place)} ${Buffer.from(text, 'base64url')}`
        if (answer.status !== 200) refused(answer, what)
      }
    })
  }
})
