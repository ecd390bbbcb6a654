import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, renderDecimal } from '../../decimal.ts'
import { firstOutstanding, intradayCall, type LaterClose, marketDaysAfter } from './intraday-calls.ts'

const date = '2026-11-20'
const deficit = { date, amount: decimal('20000'), level: decimal('30000') }

function later(...closes: readonly [level: string, netDeposits: string][]): LaterClose[] {
  return closes.map(([level, netDeposits]) => {
    return { level: decimal(level), netDeposits: decimal(netDeposits) }
  })
}
function call(today: string, closes: readonly LaterClose[]) {
  const { state, outstanding, dueOn, ageDays } = intradayCall(deficit, closes, today)
  return [state, renderDecimal(outstanding, 2), dueOn, ageDays]
}

describe('the call for an intraday margin deficit', () => {
  test('is due by the fifth business day, whatever holidays there are', () => {
    assert.deepEqual(call(date, []), ['Open', '20000.00', '2026-11-30', 0])
    assert.deepEqual(call('2026-11-23', later(['30000', '0'])), ['Open', '20000.00', '2026-11-30', 1])
  })

  test('is met by deposits, also if the market takes them', () => {
    assert.deepEqual(call('2026-11-23', later(['49999.99', '19999.99'])).slice(0, 2), ['Open', '0.01'])
    assert.deepEqual(call('2026-11-23', later(['31000', '20000'])).slice(0, 2), ['Met', '0.00'])
  })

  test('is met by a higher level than at the close of its day', () => {
    assert.deepEqual(call('2026-11-23', later(['45000', '0'])).slice(0, 2), ['Open', '5000.00'])
    assert.deepEqual(call('2026-11-23', later(['50000', '0'])).slice(0, 2), ['Met', '0.00'])
    assert.deepEqual(call('2026-11-23', later(['10000', '-5000'])).slice(0, 2), ['Open', '20000.00'])
  })

  test('stays met after the money has left again', () => {
    const closes = later(['50000', '20000'], ['30000', '0'])
    assert.deepEqual(call('2026-11-24', closes).slice(0, 2), ['Met', '0.00'])
  })

  test('ends at the close of the fifteenth business day', () => {
    const none = later(['30000', '0'])
    assert.deepEqual(call('2026-12-11', none), ['Open', '20000.00', '2026-11-30', 14])
    assert.deepEqual(call('2026-12-14', none), ['Ended', '20000.00', '2026-11-30', 15])
    assert.deepEqual(call('2026-12-14', later(['30000', '20000'])).slice(0, 2), ['Met', '0.00'])
    assert.equal(firstOutstanding('2026-12-14'), date)
  })

  test('follows the business days', () => {
    assert.deepEqual(marketDaysAfter('2026-11-25', '2026-11-30'), ['2026-11-27', '2026-11-30'])
    assert.deepEqual(marketDaysAfter('2026-11-25', '2026-11-25'), [])
  })
})
