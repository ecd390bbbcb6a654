import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decimal, decimal } from '../../decimal.ts'
import type { AcctType } from '../activity.ts'
import { type FeedPayment, matchPayments } from './paid-by-feed.ts'

/** A dividend of 0.5 a share. */
function held(quantities: Partial<Record<AcctType, string>>) {
  return ([1, 2, 3] as const).map((acctType) => {
    const quantity = decimal(quantities[acctType] ?? '0')
    return { acctType, quantity, cash: (quantity / 2n) as Decimal }
  })
}
function paid(acctType: AcctType, netAmount: string, quantity = '0', more: Partial<FeedPayment> = {}) {
  const facts = { acctType, netAmount: decimal(netAmount), quantity: decimal(quantity) }
  return { externalId: '', transType: 'Dividend', isOfOther: false, ...facts, ...more } as FeedPayment
}
/** The number of the line by account type, and that of the unmatched one. */
function found(positions: ReturnType<typeof held>, ...payments: FeedPayment[]): string {
  const named = payments.map((payment, index) => ({ ...payment, externalId: String(index + 1) }))
  const { lines, unmatched } = matchPayments(named, positions)
  const byType = positions
    .filter(({ quantity }) => quantity !== 0n)
    .map(({ acctType }) => `${acctType}:${lines.get(acctType) ?? '-'}`)
  return [...byType, ...(unmatched === undefined ? [] : [`unmatched ${unmatched}`])].join(' ')
}

test('a payment in another account type belongs to the position whose quantity or cash it has', () => {
  const margin = held({ 2: '100' })
  assert.equal(found(margin, paid(1, '50')), '2:1')
  assert.equal(found(margin, paid(1, '42', '100')), '2:1', 'less a tax')
  assert.equal(found(margin, paid(1, '50.01')), '2:1', 'rounded otherwise')
  assert.equal(found(margin, paid(1, '50.02')), '2:- unmatched 1')
  assert.equal(found(margin, paid(1, '42')), '2:- unmatched 1')
  assert.equal(found(margin, paid(1, '-50', '100')), '2:- unmatched 1', 'the sign of a short position')
  assert.equal(found(margin, paid(1, '0', '100')), '2:-', 'nobody is paid')
  assert.equal(found(margin, paid(1, '50', '100', { transType: 'ReturnOfCapital' })), '2:-')
  assert.equal(found(margin, paid(1, '20', '40', { isOfOther: true })), '2:-')
  const short = held({ 3: '-100' })
  for (const quantity of ['-100', '100', '0']) assert.equal(found(short, paid(2, '-50', quantity)), '3:1')
  assert.equal(found(short, paid(2, '50', '100')), '3:- unmatched 1')
  assert.equal(found(held({}), paid(2, '50', '100')), 'unmatched 1')
})

test('a payment in the account type of a position belongs to it, whatever its amount', () => {
  assert.equal(found(held({ 1: '100' }), paid(1, '7')), '1:1')
  assert.equal(found(held({ 1: '100' }), paid(1, '30'), paid(1, '20')), '1:1')
  assert.equal(found(held({ 1: '100', 2: '84' }), paid(1, '42')), '1:1 2:-', 'less a tax, as the other')
  assert.equal(found(held({ 1: '100', 2: '100' }), paid(1, '50', '100')), '1:1 2:-')
  assert.equal(found(held({ 1: '100', 2: '40' }), paid(1, '20', '40')), '1:- 2:1')
})

test('one line pays several account types if it has their sum', () => {
  const both = held({ 1: '100', 2: '40' })
  assert.equal(found(both, paid(1, '70', '140')), '1:1 2:1')
  assert.equal(found(both, paid(1, '70')), '1:1 2:1')
  assert.equal(found(both, paid(3, '70')), '1:1 2:1')
  assert.equal(found(both, paid(3, '71')), '1:- 2:- unmatched 1')
  const withShort = held({ 1: '100', 2: '40', 3: '-20' })
  assert.equal(found(withShort, paid(2, '60', '120')), '1:1 2:1 3:1')
  assert.equal(found(withShort, paid(2, '-10', '-20'), paid(2, '70', '140')), '1:2 2:2 3:1')
  assert.equal(found(held({ 1: '10', 3: '-10' }), paid(2, '-1')), '1:- 3:- unmatched 1')
})

test('lines that pay one account type after the other in one account type are each matched', () => {
  const both = held({ 1: '100', 2: '40' })
  assert.equal(found(both, paid(1, '50', '100'), paid(1, '20', '40')), '1:1 2:2')
  assert.equal(found(both, paid(1, '20'), paid(1, '50')), '1:2 2:1')
  assert.equal(found(both, paid(1, '50'), paid(1, '21')), '1:1 2:- unmatched 2')
  assert.equal(found(both, paid(1, '50'), paid(2, '20'), paid(1, '3')), '1:1 2:2 unmatched 3')
})
