import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimal, renderDecimal } from '../../decimal.ts'
import { interestLeft, interestOfNights, nightsByRate } from './margin-interest.ts'

test('interest of nights rounds each night to the cent', () => {
  const rates = ['8.5', '8.5', '9'].map(decimal)
  // 10,000 × 8.5 % ÷ 360 is 2.3611; at 9 %, 2.50.
  assert.equal(renderDecimal(interestOfNights(decimal('10000'), rates)), '7.22')
  assert.equal(interestOfNights(decimal('-10000'), rates), 0n)
  assert.equal(interestOfNights(decimal('10000'), []), 0n)
})

test('nights are divided where the rate changes', () => {
  const divided = (rates: readonly string[]) =>
    nightsByRate('2026-02-27', rates.map(decimal)).map(
      ({ from, to, nights, rate }) => `${from} ${to} ${nights} ${renderDecimal(rate)}`,
    )
  assert.deepEqual(divided([]), [])
  assert.deepEqual(divided(['8.5']), ['2026-02-27 2026-02-27 1 8.5'])
  assert.deepEqual(divided(['8.5', '8.5', '9']), ['2026-02-27 2026-02-28 2 8.5', '2026-03-01 2026-03-01 1 9'])
  assert.deepEqual(divided(['8', '9', '8']), [
    '2026-02-27 2026-02-27 1 8',
    '2026-02-28 2026-02-28 1 9',
    '2026-03-01 2026-03-01 1 8',
  ])
})

test('charges take what was accrued, and payments take what is to be refunded', () => {
  const left = (accrued: string, charged: string, paid = '0') =>
    renderDecimal(interestLeft(decimal(accrued), { charged: decimal(charged), paid: decimal(paid) }))
  assert.equal(left('30', '29.99'), '0.01')
  assert.equal(left('30', '30'), '0')
  assert.equal(left('30', '30.01'), '0')
  assert.equal(left('30', '-5'), '35', 'a cancelled charge is owed again')
  assert.equal(left('30', '0', '10'), '30', 'interest on a credit is no refund')
  assert.equal(left('0', '5', '5'), '0')
  assert.equal(left('0', '0', '-5'), '0', 'a cancelled payment of other interest is no refund')
  assert.equal(left('-20', '0', '19.99'), '-0.01')
  assert.equal(left('-20', '0', '20'), '0')
  assert.equal(left('-20', '0', '20.01'), '0')
  assert.equal(left('-20', '5'), '-20', 'a charge of other interest leaves the refund')
  assert.equal(left('-20', '-30'), '10', 'the charge that is to be refunded is cancelled')
  assert.equal(left('-20', '-30', '25'), '30')
})
