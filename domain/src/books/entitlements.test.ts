// The entitlement that each line uses, and the severity of each break.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ActivityLine } from './activity.ts'
import { isAtLeast, severityOfBreak } from './break-severity.ts'
import { debitOf, entitlementsUsed, type OwnCash, takesCash } from './entitlements.ts'

const option = { option: { putCall: 'Call' } }
const put = { option: { putCall: 'Put' } }
const call = { transType: 'Exercise', security: option, toSecurity: {} }
const rows: readonly [what: string, line: object, used: string, onCredit?: string][] = [
  ['a purchase for cash', { transType: 'Trade', buySell: 'BUY', acctType: 1 }, 'Buying'],
  ['a purchase in type 2', { transType: 'Trade', buySell: 'BUY', acctType: 2 }, 'Buying', 'Buying Margin'],
  ['a short sale', { transType: 'Trade', buySell: 'SSL', acctType: 3 }, 'Buying Margin'],
  ['a short sale in type 1', { transType: 'Trade', buySell: 'SSL', acctType: 1 }, 'Buying'],
  ['a sale for cash', { transType: 'Trade', buySell: 'SEL', acctType: 1 }, 'Selling'],
  ['a sale in type 2', { transType: 'Trade', buySell: 'SEL', acctType: 2 }, 'Selling'],
  ['a short that is covered', { transType: 'Trade', buySell: 'BCV', acctType: 3 }, 'Selling'],
  [
    'an option bought for cash',
    { transType: 'Trade', buySell: 'BUY', acctType: 1, security: option },
    'Buying Options',
  ],
  [
    'an option bought in type 2',
    { transType: 'Trade', buySell: 'BUY', acctType: 2, security: option },
    'Buying Options',
    'Buying Options Margin',
  ],
  [
    'an option written in type 2',
    { transType: 'Trade', buySell: 'SSL', acctType: 2, security: option },
    'Buying Options Margin',
  ],
  ['a share bought for cash', { transType: 'Trade', buySell: 'BUY', acctType: 1, security: {} }, 'Buying'],
  ['an exercise of a call for cash', { ...call, acctType: 1 }, 'Buying Options'],
  ['an exercise of a call in type 2', { ...call, acctType: 2 }, 'Buying Options', 'Buying Options Margin'],
  ['an exercise of a call in type 3', { ...call, acctType: 3 }, 'Options'],
  ['an exercise that pays cash', { ...call, acctType: 2, toSecurity: undefined }, 'Options'],
  ['an exercise of a put', { ...call, acctType: 2, security: put }, 'Options'],
  ['a withdrawal', { transType: 'Withdrawal', acctType: 1 }, 'Withdrawals'],
  ['a withdrawal in type 2', { transType: 'Withdrawal', acctType: 2 }, 'Withdrawals', 'Withdrawals Margin'],
  ['a transfer out', { transType: 'TransferOut', acctType: 1 }, 'TransfersOut'],
  [
    'a transfer of cash in type 2',
    { transType: 'TransferOut', acctType: 2 },
    'TransfersOut',
    'TransfersOut Margin',
  ],
  ['a transfer of shares', { transType: 'TransferOut', acctType: 2, security: {} }, 'TransfersOut'],
  ['a journal of cash out of type 2', { transType: 'Journal', acctType: 2, netAmount: -1n }, '', 'Margin'],
  ['a journal of cash into type 2', { transType: 'Journal', acctType: 2, netAmount: 1n }, ''],
  ['a journal of cash out of type 1', { transType: 'Journal', acctType: 1, netAmount: -1n }, ''],
  ['a journal of shares', { transType: 'Journal', acctType: 2, netAmount: 0n, security: {} }, ''],
  ['a fee in type 2', { transType: 'Fee', acctType: 2, netAmount: -1n }, ''],
  ['a deposit', { transType: 'Deposit', acctType: 1 }, ''],
  ['an assignment', { ...call, transType: 'Assignment', acctType: 2 }, ''],
  ['a cancelled purchase', { transType: 'Trade', buySell: 'BUY', acctType: 2, cancels: true }, ''],
]
describe('the entitlements that a line uses', () => {
  for (const [what, given, used, onCredit = used] of rows) {
    const line = { cancels: false, currency: 'USD', ...given } as ActivityLine
    test(`${what}: ${used || 'none'}`, () => {
      assert.equal(entitlementsUsed(line).join(' '), used)
      assert.equal(entitlementsUsed(line, new Set(['EUR'])).join(' '), used)
    })
    test(`${what} that raises a debit: ${onCredit || 'none'}`, () => {
      assert.equal(entitlementsUsed(line, new Set(['EUR', 'USD'])).join(' '), onCredit)
      assert.equal(takesCash(line), onCredit !== used)
    })
  }
})

test('the debit is what is missing in account type 2, without the proceeds of short sales', () => {
  const debits = [
    {},
    { 1: 5n, 2: -7n },
    { 2: 7n },
    { 2: -7n, 3: 9n },
    { 2: 7n, 3: -9n },
    { 2: -1n, 3: -2n },
  ].map((cash) => debitOf(cash as OwnCash))
  assert.deepEqual(debits, [0n, 7n, 0n, 7n, 2n, 3n])
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
