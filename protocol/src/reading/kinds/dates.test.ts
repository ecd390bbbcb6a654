import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseInstant } from './dates.ts'

const instants: [text: string, instant: string | undefined][] = [
  ['2026-11-27T10:00:00Z', '2026-11-27T10:00:00.000Z'],
  ['2026-11-27t10:00:00.123456789z', '2026-11-27T10:00:00.123Z'],
  ['2026-11-27T10:00+14:00', '2026-11-26T20:00:00.000Z'],
  ['2026-11-27T24:00:00-12:00', '2026-11-28T12:00:00.000Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['2026-02-29T00:00:00Z', undefined],
  ['2026-04-31t00:00:00z', undefined],
  ['0000-12-31T23:59:59Z', undefined],
  ['0001-01-01T00:00:00+14:00', undefined],
  ['9999-12-31T23:59:59-12:00', undefined],
  ['2026-11-27T24:00:01Z', undefined],
  ['2026-11-27T23:59:60Z', undefined],
  ['2026-11-27T10:00:00', undefined],
  ['2026-11-27', undefined],
  ['now', undefined],
]
for (const [text, instant] of instants) {
  test(`${text} is ${instant ?? 'no instant'}`, () => {
    assert.equal(parseInstant(text)?.toISOString(), instant)
  })
}
