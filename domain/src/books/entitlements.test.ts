// The entitlement that each line uses, and the severity of each break.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ActivityLine } from './activity.ts'
import { isAtLeast, severityOfBreak } from './break-severity.ts'
import { entitlementsUsed } from './entitlements.ts'

const option = { option: {} }
const rows: readonly [what: string, line: object, ...used: string[]][] = [
  ['a purchase for cash', { transType: 'Trade', buySell: 'BUY', acctType: 1 }, 'Buying'],
  ['a purchase on margin', { transType: 'Trade', buySell: 'BUY', acctType: 2 }, 'Buying', 'Margin'],
  ['a short sale', { transType: 'Trade', buySell: 'SSL', acctType: 3 }, 'Buying', 'Margin'],
  ['a sale for cash', { transType: 'Trade', buySell: 'SEL', acctType: 1 }, 'Selling'],
  ['a sale on margin', { transType: 'Trade', buySell: 'SEL', acctType: 2 }, 'Selling'],
  ['a short that is covered', { transType: 'Trade', buySell: 'BCV', acctType: 3 }, 'Selling'],
  [
    'an option bought for cash',
    { transType: 'Trade', buySell: 'BUY', acctType: 1, security: option },
    'Buying',
    'Options',
  ],
  [
    'an option bought on margin',
    { transType: 'Trade', buySell: 'BUY', acctType: 2, security: option },
    'Buying',
    'Options',
    'Margin',
  ],
  ['a share bought for cash', { transType: 'Trade', buySell: 'BUY', acctType: 1, security: {} }, 'Buying'],
  ['an exercise', { transType: 'Exercise', acctType: 1 }, 'Options'],
  ['a withdrawal', { transType: 'Withdrawal', acctType: 1 }, 'Withdrawals'],
  ['a transfer out', { transType: 'TransferOut', acctType: 1 }, 'TransfersOut'],
  ['a deposit', { transType: 'Deposit', acctType: 1 }],
  ['an assignment', { transType: 'Assignment', acctType: 1 }],
  ['a cancelled purchase', { transType: 'Trade', buySell: 'BUY', acctType: 2, cancels: true }],
]
describe('the entitlements that a line uses', () => {
  for (const [what, line, ...used] of rows) {
    test(`${what} uses ${used.join(', ') || 'no entitlement'}`, () => {
      assert.deepEqual(entitlementsUsed({ cancels: false, ...line } as ActivityLine), used)
    })
  }
})

test('a severity is at least as high as itself and all lower severities', () => {
  const order = ['Low', 'Medium', 'High']
  for (const [at, severity] of order.entries()) {
    for (const [other, least] of order.entries())
      assert.equal(isAtLeast(severity, least), at >= other, `${severity} and ${least}`)
  }
})

test('an unknown kind of break has the highest severity', () => {
  assert.deepEqual(['Oversold', 'CancelDisagrees', 'AlreadyCancelled', 'Unheard'].map(severityOfBreak), [
    'High',
    'Medium',
    'Low',
    'High',
  ])
})
