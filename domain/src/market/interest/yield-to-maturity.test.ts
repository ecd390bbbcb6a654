import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, renderDecimal } from '../../decimal.ts'
import type { BondTerms } from './accrued.ts'
import { yieldToMaturity } from './yield-to-maturity.ts'

function bond(couponRate: string, maturityDate: string, more: Partial<BondTerms> = {}): BondTerms {
  return { couponRate: decimal(couponRate), couponFrequency: 2, dayCount: '30/360', maturityDate, ...more }
}
function yieldOf(terms: BondTerms, price: string, settlement: string): string | undefined {
  const found = yieldToMaturity(terms, decimal(price), settlement)
  return found === undefined ? undefined : renderDecimal(found)
}

describe('published examples', () => {
  test('YIELD of Microsoft Excel', () => {
    assert.equal(yieldOf(bond('5.75', '2016-11-15'), '95.04287', '2008-02-15'), '6.5')
  })
  test('PRICE of Microsoft Excel', () => {
    assert.equal(yieldOf(bond('5.75', '2017-11-15'), '94.63436', '2008-02-15'), '6.5')
  })
  test('YIELD of Lotus eSuite', () => {
    assert.equal(yieldOf(bond('5.5', '1998-12-01'), '99.5', '1993-07-01'), '5.607')
  })
})

describe('a bond at par on a coupon date', () => {
  for (const couponFrequency of [1, 2, 4, 12] as const)
    for (const dayCount of ['30/360', 'ActAct'] as const)
      test(`yields its coupon: ${couponFrequency} a year, ${dayCount}`, () => {
        const terms = bond('4.125', '2031-02-28', { couponFrequency, dayCount })
        assert.equal(yieldOf(terms, '100', '2027-02-28'), '4.125')
      })
})

describe('the last coupon period', () => {
  test('has simple interest', () => {
    // Half of the period is left: 102.5 ÷ (1 + 0.5 × Y ÷ 2) − 1.25 = 100.
    const terms = bond('5', '2026-12-15')
    const expected = ((102.5 / 101.25 - 1) * 4 * 100).toFixed(3)
    assert.equal(yieldOf(terms, '100', '2026-09-15'), expected)
    // A whole period is left: 102.5 ÷ (1 + Y ÷ 2) = 99. The day before, two coupons are left, which compound.
    assert.equal(yieldOf(terms, '99', '2026-06-15'), ((102.5 / 99 - 1) * 200).toFixed(3))
    const growth = 1 + Number(yieldOf(terms, '99', '2026-06-14')) / 200
    const price = 2.5 / growth ** (1 / 180) + 102.5 / growth ** (181 / 180) - (2.5 * 179) / 180
    assert.ok(Math.abs(price - 99) < 0.001, `${price}`)
  })
  test('ends the day before the maturity', () => {
    const terms = bond('5', '2026-12-15')
    assert.ok(yieldOf(terms, '100', '2026-12-14'))
    assert.equal(yieldOf(terms, '100', '2026-12-15'), undefined)
    assert.equal(yieldOf(terms, '100', '2026-12-16'), undefined)
  })
})

describe('a bond without coupons', () => {
  test('compounds twice a year, and has simple interest in its last half year', () => {
    const terms = bond('0', '2031-11-15', { couponFrequency: 0, dayCount: 'ActAct' })
    // 100 ÷ 1.02^10.
    assert.equal(yieldOf(terms, '82.0348299875', '2026-11-15'), '4')
    const bill = bond('0', '2027-05-15', { couponFrequency: 0, dayCount: 'ActAct' })
    assert.equal(yieldOf(bill, (100 / 1.02).toFixed(10), '2026-11-15'), '4')
  })
  test('with interest at maturity counts simple interest from its issue', () => {
    const terms = bond('6', '2027-11-30', { couponFrequency: 0, issueDate: '2026-11-30' })
    assert.equal(yieldOf(terms, '100', '2026-11-30'), '6')
    // 106 ÷ (1 + 0.5 Y) − 3 = 100.
    assert.equal(yieldOf(terms, '100', '2027-05-30'), ((106 / 103 - 1) * 200).toFixed(3))
    assert.equal(yieldOf(terms, '100', '2026-11-29'), undefined)
    const twoYears = bond('6', '2028-11-30', {
      couponFrequency: 0,
      dayCount: 'ActAct',
      issueDate: '2026-11-30',
    })
    assert.equal(yieldOf(twoYears, '100', '2026-11-30'), '6')
    assert.equal(yieldOf({ ...terms, issueDate: undefined }, '100', '2027-05-30'), undefined)
  })
})

describe('days of the period', () => {
  // Two coupons of 2 are left; of the period from 15 May to 15 November 2026, all but the days until 1 August.
  for (const [dayCount, passed, days] of [
    ['ActAct', 78, 184],
    ['30/360', 76, 180],
    ['30/360 Bond Basis', 76, 180],
  ] as const)
    test(`are counted by ${dayCount}`, () => {
      const terms = bond('4', '2027-05-15', { dayCount })
      const growth = 1 + Number(yieldOf(terms, '98', '2026-08-01')) / 200
      const left = 1 - passed / days
      const accrued = (2 * passed) / days
      const price = 2 / growth ** left + 102 / growth ** (left + 1) - accrued
      assert.ok(Math.abs(price - 98) < 0.0005, `${price}`)
    })
})

test('coupons of other day counts have no formula', () => {
  for (const dayCount of ['Act360', 'Act365', 'ActActISDA'] as const)
    assert.equal(yieldOf(bond('4', '2027-05-15', { dayCount }), '98', '2026-08-01'), undefined)
  const zero = bond('0', '2027-05-15', { couponFrequency: 0, dayCount: 'Act360' })
  assert.ok(yieldOf(zero, '98', '2026-08-01'))
})

test('a bond of which 30/360 counts no day more has no yield', () => {
  for (const [settlement, maturity] of [
    ['2026-08-30', '2026-08-31'],
    ['2026-08-31', '2026-09-01'],
    ['2026-12-30', '2026-12-31'],
  ] as const)
    for (const coupon of ['5', '0'])
      assert.equal(yieldOf(bond(coupon, maturity), '100', settlement), undefined)
  assert.equal(yieldOf(bond('0', '9999-12-31'), '98', '2026-08-31'), undefined)
})

test('yields lie from -99 % to 10,000 %', () => {
  // Half a year is left: 100 ÷ (1 + Y ÷ 2).
  const bill = bond('0', '2027-05-15', { couponFrequency: 0 })
  assert.ok(yieldOf(bill, '1.961', '2026-11-15'))
  assert.equal(yieldOf(bill, '1.95', '2026-11-15'), undefined)
  assert.ok(yieldOf(bill, '198', '2026-11-15'))
  assert.equal(yieldOf(bill, '198.1', '2026-11-15'), undefined)
})

test('a yield can be negative, and a price that no yield gives has none', () => {
  const terms = bond('1', '2028-11-30')
  assert.ok(Number(yieldOf(terms, '103', '2026-11-30')) < 0)
  // Accrued interest of 3 is added to the price.
  const accruing = bond('12', '2028-11-30')
  assert.equal(yieldOf(accruing, '0', '2026-08-30'), undefined)
  assert.equal(yieldOf(accruing, '-1', '2026-08-30'), undefined)
  assert.equal(yieldOf(terms, '0.0000000001', '2026-11-30'), undefined)
  assert.equal(yieldOf(terms, '99999999', '2026-11-30'), undefined)
})
