/** Shares that an account inherited: any sale of them is long (26 USC 1223(9)). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimal, renderDecimal } from '../decimal.ts'
import { impossibleValues, missingFields } from './activity-rules.ts'
import { exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount } from './fold.ts'

const xyz = exampleSecurity('XYZ')

/** The term and the gain of the sale of 100 shares with a cost of 8,000, a month or more after the transfer. */
function soldOn(date: string, openDate: string, inherited?: true) {
  const feed = exampleFeed(xyz)
  const fold = foldAccount([
    feed.line('TransferIn', {
      date: openDate,
      openDate,
      quantity: 100,
      cost: 8_000,
      ...(inherited && { inherited }),
    }),
    feed.sell({ date, quantity: 100, netAmount: 7_600 }),
  ])
  return fold.closings.map(({ term, gain, openDate: opened }) => [term, renderDecimal(gain), opened])
}

test('an inherited lot is long on the day of the death and ever after, with the day of the death as its date', () => {
  for (const day of ['2024-03-01', '2024-06-03', '2025-03-01', '2025-03-02', '2030-01-02'])
    assert.deepEqual(soldOn(day, '2024-03-01', true), [['Long', '-400', '2024-03-01']], day)
  // The day before, the day of and the day after a leap day.
  for (const died of ['2024-02-28', '2024-02-29', '2023-03-01'])
    assert.deepEqual(soldOn(died, died, true), [['Long', '-400', died]], died)
})

test('another lot is long after a year', () => {
  assert.deepEqual(soldOn('2025-03-01', '2024-03-01'), [['Short', '-400', '2024-03-01']])
  assert.deepEqual(soldOn('2025-03-02', '2024-03-01'), [['Long', '-400', '2024-03-01']])
})

test('a line that inherits names the day of the death, and brings shares', () => {
  const received = {
    transType: 'TransferIn',
    tradeDate: '2024-05-03',
    acctType: 1,
    currency: 'USD',
    security: xyz,
    quantity: decimal('100'),
    inherited: true,
  } as never as Parameters<typeof missingFields>[0]
  const faults = (more: object) => {
    const draft = { ...received, ...more }
    return [...missingFields(draft), ...impossibleValues(draft)].map(({ code, field }) => `${code} ${field}`)
  }
  assert.deepEqual(faults({}), ['ERR.1000 openDate'])
  assert.deepEqual(faults({ openDate: '2024-03-01' }), [])
  assert.deepEqual(faults({ openDate: '2024-03-01', transType: 'Journal' }), [])
  assert.deepEqual(faults({ openDate: '2024-03-01', quantity: decimal('-100') }), ['ERR.1015 inherited'])
  assert.deepEqual(faults({ openDate: '2024-03-01', transType: 'Reinvest', netAmount: decimal('-5') }), [
    'ERR.1015 inherited',
  ])
})
