import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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

describe('accrued interest', () => {
  type Given = readonly [id: string, amount: string, cancels?: string, taken?: string]
  function left(accrued: string, late: string, ...lines: readonly Given[]): string {
    const { left: found, taken } = interestLeft(
      decimal(accrued),
      decimal(late),
      lines.map(([id, amount, cancels, of]) => ({
        id,
        amount: decimal(amount),
        cancels:
          cancels === undefined ? undefined : { id: cancels, taken: of === undefined ? of : decimal(of) },
      })),
    )
    return [renderDecimal(found), ...[...taken].map(([id, amount]) => `${id} ${renderDecimal(amount)}`)].join(
      ', ',
    )
  }

  test('is reduced by charges, at most to 0', () => {
    assert.equal(left('30', '0', ['a', '-29.99']), '0.01, a 29.99')
    assert.equal(left('30', '0', ['a', '-30']), '0, a 30')
    assert.equal(left('30', '0', ['a', '-30.01']), '0, a 30')
    assert.equal(left('30', '0', ['a', '-20'], ['b', '-20']), '0, a 20, b 10')
    assert.equal(left('0', '0', ['a', '-5']), '0, a 0')
  })
  test('is not reduced by payments of other interest', () => {
    assert.equal(left('30', '0', ['a', '10']), '30, a 0')
    assert.equal(left('30', '0', ['a', '-30'], ['b', '10']), '0, a 30, b 0')
  })
  test('of late nights can be charged by lines of the same day', () => {
    assert.equal(left('0', '30', ['a', '-30']), '0, a 30')
    assert.equal(left('10', '30', ['a', '-45']), '0, a 40')
    assert.equal(left('10', '30', ['a', '-15']), '25, a 15')
  })
  test('that was charged too much is a refund, which payments take', () => {
    assert.equal(left('60', '-60', ['a', '-60']), '-60, a 60')
    assert.equal(left('60', '-60', ['a', '-60'], ['b', '60']), '0, a 60, b -60')
    assert.equal(left('60', '-60', ['b', '60']), '0, b 0', 'nothing was charged')
    assert.equal(left('60', '-80', ['b', '60']), '0, b -20')
    assert.equal(left('-20', '0', ['b', '19.99']), '-0.01, b -19.99')
    assert.equal(left('-20', '0', ['b', '20.01']), '0, b -20')
    assert.equal(left('-20', '5'), '-15')
    assert.equal(
      left('-20', '30', ['a', '-30']),
      '-20, a 30',
      'a charge takes the interest of late nights first',
    )
    assert.equal(left('-20', '0', ['a', '-5']), '-20, a 0')
  })
  test('gets back what a cancelled line took', () => {
    assert.equal(left('0', '0', ['c', '30', 'a', '30']), '30')
    assert.equal(left('0', '0', ['c', '100', 'a', '40']), '40', 'the rest was no interest of this account')
    assert.equal(left('-60', '0', ['c', '100', 'a', '0']), '-60')
    assert.equal(left('0', '0', ['c', '-60', 'b', '-60']), '-60')
    assert.equal(left('5', '0', ['c', '-100', 'b', '0'], ['d', '90']), '5, d 0')
    assert.equal(left('-20', '0', ['c', '30', 'a', '30'], ['d', '-10']), '0, d 10')
  })
  test('was taken wholly by charges, and not by payments, of which nothing is recorded', () => {
    assert.equal(left('0', '0', ['c', '30', 'a']), '30')
    assert.equal(left('0', '0', ['c', '-30', 'b']), '0')
  })
  test('is not changed by a line that is cancelled at once', () => {
    assert.equal(left('30', '0', ['a', '-20'], ['c', '20', 'a']), '30')
    assert.equal(left('-30', '0', ['c', '-20', 'b'], ['b', '20']), '-30')
  })
})
