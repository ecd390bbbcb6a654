/** The least sale that meets a call, by what each position releases. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, renderDecimal } from '../../decimal.ts'
import { debtMarginOn } from './debt-margin.ts'
import { equityMarginOn } from './equity-margin.ts'
import { marginFigures } from './figures.ts'
import type { HouseRates, MarginPosition } from './position.ts'
import { salesOf, sellToRelease } from './sales.ts'
import { marginLeg, shareAt } from './sample-legs.ts'

function treasury(value: string) {
  return shareAt(decimal(value), {
    secNo: 'T',
    symbol: 'T',
    kind: 'Bond',
    debt: { row: debtMarginOn('Treasury', '2040-11-30', '2026-11-30'), principal: decimal('100000') },
  })
}
function tripled(value: string) {
  return shareAt(decimal(value), {
    secNo: 'L',
    symbol: 'L',
    equity: equityMarginOn('LeveragedFund', 'Long', decimal(value), '2026-11-30'),
    leverage: decimal('3'),
  })
}
function fund(recent: string, units = '100') {
  return shareAt(decimal('1000'), {
    secNo: 'F',
    symbol: 'F',
    kind: 'Fund',
    quantity: decimal(units),
    unitQuantity: decimal(units),
    recentUnits: decimal(recent),
  })
}
const optionOnNothing = marginLeg('C105 1 5', '100')

function sells(
  kind: 'initial' | 'house',
  amount: string,
  positions: readonly MarginPosition[],
  rates?: HouseRates,
): string | null {
  const sold = sellToRelease(decimal(amount), kind, salesOf(positions, rates))
  return sold === null ? null : renderDecimal(sold, 2)
}

describe('a sale that meets a call', () => {
  test('of Treasuries is by their few percent, and the sale of all of them is the most', () => {
    assert.equal(sells('house', '3760.99', [treasury('95000')]), '75219.80')
    assert.equal(sells('initial', '3760.99', [treasury('95000')]), '75219.80')
    assert.equal(sells('house', '4750.00', [treasury('95000')]), '95000.00')
    assert.equal(sells('house', '4750.01', [treasury('95000')]), null)
  })
  test('meets the call of an account with Treasuries to the cent', () => {
    const of = (value: string, cash: string) =>
      marginFigures({ marginCash: decimal(cash), positions: [treasury(value)] }).maintenanceCall
    assert.equal(of('95000', '-94010.99'), decimal('3760.99'))
    assert.equal(of('19780.20', '-18791.19'), 0n)
  })
  test('of a leveraged fund is by its multiple', () => {
    assert.equal(sells('house', '500', [tripled('6000')]), '666.67')
    assert.equal(sells('initial', '500', [tripled('6000')]), '666.67')
  })
  test('begins with what releases most', () => {
    const held = [treasury('95000'), shareAt(decimal('10000')), tripled('6000')]
    assert.equal(sells('house', '4500', held), '6000.00')
    assert.equal(sells('house', '5000', held), '8000.00')
    assert.equal(sells('house', '7000', held), '16000.00')
    assert.equal(sells('house', '7050', held), '17000.00')
    assert.equal(sells('initial', '9550', held), '17000.00')
  })
  test('is by the house rate of the account and of the security', () => {
    const rates = { longPercent: decimal('40'), shortPercent: decimal('30') }
    assert.equal(sells('house', '400', [shareAt(decimal('10000'))], rates), '1000.00')
    const strict = shareAt(decimal('10000'), { houseLongPercent: decimal('50') })
    assert.equal(sells('house', '400', [strict], rates), '800.00')
    assert.equal(sells('initial', '400', [strict], rates), '800.00')
  })
  test('of a security without loan value is the amount itself', () => {
    assert.equal(sells('initial', '400', [shareAt(decimal('1000'), { marginable: false })]), '400.00')
    assert.equal(sells('house', '400', [optionOnNothing]), '400.00')
  })
  test('of a mutual fund leaves the units of the last 30 days to the end', () => {
    assert.equal(sells('initial', '200', [fund('0')]), '400.00')
    assert.equal(sells('initial', '200', [fund('40')]), '400.00')
    assert.equal(sells('initial', '301', [fund('40')]), '601.00')
    assert.equal(sells('initial', '700', [fund('40')]), '1000.00')
    assert.equal(sells('initial', '700.01', [fund('40')]), null)
    assert.equal(sells('initial', '400', [fund('100')]), '400.00')
  })
  test('of nothing is null, and so is that of a short position', () => {
    assert.equal(sells('initial', '1', []), null)
    assert.equal(sells('initial', '1', [marginLeg('abc -100 50', '50')]), null)
  })
})

describe('a sale that meets a call leaves out what a combination can use', () => {
  test('the shares that cover a call, and the rest counts', () => {
    const call = marginLeg('C105 -1 5', '100')
    assert.equal(sells('initial', '1', [marginLeg('abc 100 100', '100'), call]), null)
    assert.equal(sells('initial', '5000', [marginLeg('abc 200 100', '100'), call]), '10000.00')
    assert.equal(sells('initial', '5000.01', [marginLeg('abc 200 100', '100'), call]), null)
  })
  test('shares that a long put protects, and the put', () => {
    const put = marginLeg('P95 1 5', '100')
    assert.equal(sells('house', '1', [marginLeg('abc 100 100', '100'), put]), null)
  })
  test('shares that are also sold short', () => {
    const short = marginLeg('abc -60 100', '100')
    assert.equal(sells('initial', '2000', [marginLeg('abc 100 100', '100'), short]), '4000.00')
    assert.equal(sells('initial', '2000.01', [marginLeg('abc 100 100', '100'), short]), null)
  })
  test('the long leg of a spread, but not long options alone', () => {
    const [long, other] = [marginLeg('C105 1 5', '100'), marginLeg('P95 1 5', '100')]
    assert.equal(sells('initial', '1', [long, marginLeg('C110 -1 3', '100')]), null)
    assert.equal(sells('initial', '1000', [long, other]), '1000.00')
  })
  test('a convertible whose stock is sold short or has options', () => {
    const bond = shareAt(decimal('1000'), {
      secNo: 'CB',
      symbol: 'CB',
      converts: { symbol: 'abc', ratio: decimal('10') },
    })
    assert.equal(sells('initial', '100', [bond, marginLeg('abc 100 10', '10')]), '200.00')
    assert.equal(sells('initial', '501', [bond]), null)
    assert.equal(sells('initial', '100', [bond, marginLeg('abc -10 10', '10')]), null)
    assert.equal(sells('initial', '100', [bond, marginLeg('C105 -1 1', '10')]), null)
  })
})
