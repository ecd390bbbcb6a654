import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referencesOf } from './complete-lines.ts'
import type { ReadyLine } from './ready-line.ts'

const cancel = { externalId: 'X', tagNo: 'T', cancelType: 'C' }
const rebill = { externalId: 'X', tagNo: 'T', rebill: true }

for (const [name, ready, references] of [
  ['A line with a known security refers to none', booked({ externalId: 'X' }, false), []],
  ['A tagNo alone is no reference', booked({ externalId: 'X', tagNo: 'T' }, false), []],
  ['A rebill refers to its original', booked(rebill, true), ['T']],
  ['A cancel refers to its original', { cancel: { values: cancel } }, ['T']],
  ['A cancel without tagNo refers to an original that is not there', { cancel: { values: {} } }, ['']],
  ['A line without a known security may repeat a line', unnamed({ externalId: 'X' }), ['', 'X']],
  ['A cancel without a known security may repeat one too', unnamed(cancel), ['T', 'X']],
  ['A rebill without a known security may repeat one too', unnamed(rebill), ['T', 'X']],
] as const)
  test(name, () => {
    assert.deepEqual(referencesOf(ready as unknown as ReadyLine), references)
  })

function booked(values: object, rebills: boolean) {
  return { booked: { values, line: { rebills } } }
}

function unnamed(values: object) {
  return { unnamed: { values } }
}
