/** The balances that a day of lines changes: each that changed, once, and no other. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderDecimal } from '../decimal.ts'
import { exampleFeed, exampleSecurity } from './example-lines.ts'
import { type HeldBalance, RunningFold } from './running-fold.ts'

function shown(balances: readonly HeldBalance[]): string[] {
  return balances
    .map(
      ({ asset, acctType, quantity, cost }) =>
        `${asset} in ${acctType}: ${renderDecimal(quantity)} for ${renderDecimal(cost)}`,
    )
    .toSorted()
}

describe('a day of lines returns', () => {
  test('what a purchase changes, and nothing of the other account types', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const running = new RunningFold({})
    const day = [feed.buy({ date: '2024-01-03', quantity: 10, netAmount: 100 })]
    assert.deepEqual(shown(running.add(day)), ['USD in 1: -100 for 0', 'XYZ in 1: 10 for 100'])
  })

  test('nothing if its lines cancel each other out', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const running = new RunningFold({})
    const date = '2024-01-03'
    const day = [
      feed.line('Deposit', { date, netAmount: 5 }),
      feed.line('Withdrawal', { date, netAmount: 5 }),
    ]
    assert.deepEqual(shown(running.add(day)), [])
  })

  test('a change that a line of zero follows', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const running = new RunningFold({})
    const date = '2024-01-03'
    const day = [feed.line('Deposit', { date, netAmount: 5 }), feed.line('Deposit', { date, netAmount: 0 })]
    assert.deepEqual(shown(running.add(day)), ['USD in 1: 5 for 0'])
  })

  test('only what a late line changes', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const running = new RunningFold({})
    running.add([feed.buy({ date: '2024-01-03', quantity: 10, netAmount: 100 })])
    const late = feed.line('Deposit', { date: '2024-01-02', netAmount: 5 })
    assert.deepEqual(shown(running.add([late])), ['USD in 1: -95 for 0'])
  })

  test('nothing for a line that was cancelled before it arrived', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const running = new RunningFold({})
    const date = '2024-01-03'
    const bought = feed.buy({ date, quantity: 10, netAmount: 100, sequence: 2 })
    const cancel = { ...bought, externalId: 'C', sequence: 1, cancels: true, tagNo: bought.externalId }
    assert.deepEqual(shown(running.add([cancel])), [])
    assert.deepEqual(shown(running.add([bought])), [])
  })
})
