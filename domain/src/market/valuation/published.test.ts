import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { abs, type Decimal, decimal, multiply, ONE, renderDecimal, roundTo, ZERO } from '../../decimal.ts'
import { marginFigures } from '../margin/figures.ts'
import { publishedCase } from '../test-published-case.ts'
import { currentFace, lineValue, percentOf, unitCostOf, type ValueTerms } from './line-value.ts'
import type { OpenLot } from './open-lots.ts'
import oracles from './oracles.json' with { type: 'json' }
import { valuePositions } from './positions.ts'
import { aSecurity, PLAIN_TERMS } from './sample-positions.ts'
import { summarizeAccount } from './summarize.ts'

type Texts = Record<string, string>
function money(value: Decimal) {
  return renderDecimal(value, 2)
}
function cents(text: string | undefined) {
  return money(roundTo(decimal(text ?? ''), 2))
}
function number(texts: Texts, name: string) {
  return decimal(texts[name] ?? assert.fail(name))
}
const OPTION_TERMS: ValueTerms = { ...PLAIN_TERMS, multiplier: decimal('100') }
const BOND_TERMS: ValueTerms = { ...PLAIN_TERMS, priceDivisor: decimal('100') }

describe('value of a line', () => {
  test('VAL-DRIVEWEALTH-POS: value, gain and average price of a position in the interface of a broker', () => {
    const { given, expected } = publishedCase<Texts, Texts>(oracles, 'VAL-DRIVEWEALTH-POS')
    const quantity = number(given, 'qty')
    const cost = number(given, 'costBasis')
    const value = lineValue(quantity, number(given, 'price'), PLAIN_TERMS, 2)
    assert.equal(money(value), expected.marketValue)
    assert.equal(money(value - cost), expected.unrealisedPL)
    assert.equal(money(roundTo(unitCostOf(cost, quantity), 2)), expected.avgPrice)
  })

  test('VAL-ALPACA-POS: value and gain of a position in another interface', () => {
    const { given, expected } = publishedCase<Texts, Texts>(oracles, 'VAL-ALPACA-POS')
    const quantity = number(given, 'qty')
    const cost = multiply(quantity, number(given, 'avg'), 2)
    const value = lineValue(quantity, number(given, 'price'), PLAIN_TERMS, 2)
    assert.equal(value, number(expected, 'marketValue'))
    assert.equal(cost, number(expected, 'costBasis'))
    assert.equal(value - cost, number(expected, 'unrealisedPL'))
    assert.equal(percentOf(value - cost, cost), number(expected, 'unrealisedPct') * 100n)
  })

  test('an option contract is a hundred shares (VAL-CLEARSTREET-OPTION)', () => {
    const { given, expected } = publishedCase<Texts, Texts>(oracles, 'VAL-CLEARSTREET-OPTION')
    const cost = lineValue(number(given, 'qty'), number(given, 'avgPrice'), OPTION_TERMS, 2)
    const value = lineValue(number(given, 'qty'), number(given, 'closingPrice'), OPTION_TERMS, 2)
    assert.equal(cost, number(expected, 'costBasis'))
    assert.equal(value, number(expected, 'marketValue'))
    assert.equal(value - cost, number(expected, 'unrealisedPL'))
  })

  test('a short lot has a negative value and cost, and loses when the price rises (VAL-IBFLEX-SHORTLOT)', () => {
    const { given, expected } = publishedCase<Texts, Texts>(oracles, 'VAL-IBFLEX-SHORTLOT')
    const quantity = number(given, 'position')
    const [line] = valuePositions({
      acctNo: '30100001',
      accountName: '',
      now: '2011-08-09T20:00:00Z',
      today: '2011-08-09',
      lots: [
        {
          lotId: '1',
          secNo: '1',
          acctTypeCode: 3,
          quantity,
          openDate: given.openDate ?? '',
          holdingStart: given.openDate ?? '',
          cost: lineValue(quantity, number(given, 'openPrice'), PLAIN_TERMS, 2),
          fxRate: ONE,
          washDisallowed: ZERO,
          heldAway: false,
        },
      ],
      securities: new Map([['1', aSecurity({ secNo: '1', symbol: given.symbol ?? '' })]]),
      prices: new Map([
        [
          '1',
          { price: number(given, 'markPrice'), priceType: 'LastClose', priceDate: '2011-08-09T20:00:00Z' },
        ],
      ]),
      fxRates: new Map(),
    })
    assert.ok(line !== undefined)
    const gain = line.position.unrealizedGainLoss
    assert.equal(line.position.marketValue, number(expected, 'positionValue'))
    assert.equal(gain.cost, number(expected, 'costBasisMoney'))
    assert.equal(line.position.gainLoss, number(expected, 'fifoPnlUnrealized'))
    assert.equal(gain.longShortInd, expected.side?.toUpperCase())
    assert.equal(renderDecimal(gain.unitCost), given.openPrice)
  })

  test('VAL-FIDELITY-POS: a position of a real account', () => {
    const { given, expected } = publishedCase<Texts, Texts>(oracles, 'VAL-FIDELITY-POS')
    const value = lineValue(number(given, 'qty'), number(given, 'price'), PLAIN_TERMS, 2)
    assert.equal(money(value), expected.marketValue)
  })

  test('VAL-OFX-SPEC: the sample statement of the OFX specification', () => {
    const { given, expected } = publishedCase<Record<string, string[]>, Texts>(oracles, 'VAL-OFX-SPEC')
    const [stock = [], option = [], buy = []] = [given.stock, given.option, given.buy]
    const value = (line: string[], terms: ValueTerms) =>
      lineValue(decimal(line[0] ?? ''), decimal(line[1] ?? ''), terms, 2)
    assert.equal(value(stock, PLAIN_TERMS), number(expected, 'stockValue'))
    assert.equal(value(option, OPTION_TERMS), number(expected, 'optionValue'))
    assert.equal(-value(buy, PLAIN_TERMS) - decimal(buy[2] ?? ''), number(expected, 'buyTotal'))
    // OFX writes a debit as a negative margin balance. The service reports it as the amount owed.
    const { debitBalance } = marginFigures({ marginCash: number(expected, 'marginBalance'), positions: [] })
    assert.equal(debitBalance, -number(expected, 'marginBalance'))
    const { summary } = summarizeAccount({
      acctNo: '30100001',
      now: '2026-11-20T20:00:00Z',
      lines: [],
      cash: [
        {
          acctTypeCode: 1,
          currency: 'USD',
          tradeDate: number(expected, 'availCash'),
          settled: number(expected, 'availCash'),
          pendingDebits: ZERO,
          pendingSales: ZERO,
          pendingShortSales: ZERO,
        },
      ],
      fxRates: new Map(),
      margin: null,
      marginInterestAccrued: ZERO,
    })
    assert.equal(summary.freeCash, number(expected, 'availCash'))
  })
})

describe('bonds and pools', () => {
  test('a bond is priced in percent of its face (BOND-OFX-TDA)', () => {
    const { given, expected } = publishedCase<
      { units: string; price: string; stock: { units: string; price: string } },
      Texts
    >(oracles, 'BOND-OFX-TDA')
    const bond = lineValue(decimal(given.units), decimal(given.price), BOND_TERMS, 2)
    const stock = lineValue(decimal(given.stock.units), decimal(given.stock.price), PLAIN_TERMS, 2)
    assert.equal(bond, number(expected, 'bondValue'))
    assert.equal(stock, number(expected, 'stockValue'))
    assert.equal(bond + stock, number(expected, 'accountValue'))
  })

  for (const id of ['BOND-MBS-FACTOR', 'BOND-MBS-WIKI']) {
    test(`the current face of a pool is the original face times the factor (${id})`, () => {
      const { given, expected } = publishedCase<Texts, Texts>(oracles, id)
      const face = number(given, 'originalFace')
      const current = currentFace(face, { ...BOND_TERMS, currentFactor: number(given, 'factor') })
      assert.equal(current, number(expected, 'currentFace'))
      if (expected.repaid) assert.equal(face - current, number(expected, 'repaid'))
      const atPar = lineValue(
        face,
        decimal('100'),
        { ...BOND_TERMS, currentFactor: number(given, 'factor') },
        2,
      )
      assert.equal(atPar, roundTo(current, 2))
    })
  }
})

describe('amounts of trades', () => {
  test('seven real purchases cost quantity × price + commission, rounded half up to the cent (VAL-FIDELITY-BUYS)', () => {
    const { given, expected } = publishedCase<{ buys: [string, string, string][] }, { totals: string[] }>(
      oracles,
      'VAL-FIDELITY-BUYS',
    )
    assert.deepEqual(
      given.buys.map(([quantity, price, commission]) =>
        money(lineValue(decimal(quantity), decimal(price), PLAIN_TERMS, 2) + decimal(commission)),
      ),
      expected.totals.map(cents),
    )
  })

  test('real sales bring quantity × price less fees (VAL-SCHWAB-SELLS)', () => {
    const { given, expected } = publishedCase<{ rows: [string, string, string][] }, { amounts: string[] }>(
      oracles,
      'VAL-SCHWAB-SELLS',
    )
    assert.deepEqual(
      given.rows.map(([quantity, price, fees]) =>
        money(lineValue(decimal(quantity), decimal(price), PLAIN_TERMS, 2) - decimal(fees)),
      ),
      expected.amounts.map(cents),
    )
  })

  for (const id of [
    'VAL-IBKR-TRADE-VTI',
    'VAL-IBKR-TRADE-VTI2',
    'VAL-IBKR-TRADE-VXUS',
    'VAL-IBKR-TRADE-IDXX',
  ]) {
    test(`the cost of a real trade includes commission, and another currency is converted at the rate of the day (${id}, within a cent)`, () => {
      const { given, expected } = publishedCase<Texts, Texts>(oracles, id)
      const quantity = number(given, 'qty')
      const cost = lineValue(quantity, number(given, 'price'), PLAIN_TERMS, 8) - number(given, 'commission')
      assert.equal(cost, number(expected, 'cost'))
      const lot: OpenLot = {
        lotId: '1',
        secNo: '1',
        acctTypeCode: 1,
        quantity,
        openDate: '2023-02-09',
        holdingStart: '2023-02-09',
        cost: roundTo(cost, 2),
        fxRate: number(given, 'fxRateToBase'),
        washDisallowed: ZERO,
        heldAway: false,
      }
      const [line] = valuePositions({
        acctNo: '30100001',
        accountName: '',
        now: '2023-02-10T21:00:00Z',
        today: '2023-02-10',
        lots: [lot],
        securities: new Map([['1', aSecurity({ secNo: '1', currency: 'EUR' })]]),
        prices: new Map(),
        fxRates: new Map([['EUR', ONE]]),
      })
      // The broker keeps eight places of money. The service rounds to the cent before the conversion, so a cent may
      // differ.
      const inBase = multiply(cost, number(given, 'fxRateToBase'), 2)
      const difference = (line?.position.unrealizedGainLoss.cost ?? ZERO) - inBase
      assert.ok(abs(difference) <= decimal('0.01'))
    })
  }

  test('the equity summary of a broker for two days adds up (VAL-IBKR-SUMMARY, to the cent)', () => {
    const { given, expected } = publishedCase<{ days: Texts[] }, { totals: [string, string, string][] }>(
      oracles,
      'VAL-IBKR-SUMMARY',
    )
    given.days.forEach((day, index) => {
      const [total, long, short] = expected.totals[index] ?? assert.fail()
      const lots: OpenLot[] = [
        { ...PLAIN_LOT, lotId: '1', secNo: '1', quantity: ONE, cost: number(day, 'stock') },
        { ...PLAIN_LOT, lotId: '2', secNo: '2', quantity: -ONE, cost: number(day, 'options') },
      ]
      const price = (value: Decimal) => ({ price: value, priceType: 'LastClose' as const, priceDate: '' })
      const lines = valuePositions({
        acctNo: '30100001',
        accountName: '',
        now: '2023-03-01T21:00:00Z',
        today: '2023-03-01',
        lots,
        securities: new Map([
          ['1', aSecurity({ secNo: '1' })],
          ['2', aSecurity({ secNo: '2' })],
        ]),
        prices: new Map([
          ['1', price(number(day, 'stock'))],
          ['2', price(-number(day, 'options'))],
        ]),
        fxRates: new Map(),
      })
      const balance = {
        acctTypeCode: 1 as const,
        currency: 'USD',
        settled: ZERO,
        pendingDebits: ZERO,
        pendingSales: ZERO,
        pendingShortSales: ZERO,
      }
      const { summary } = summarizeAccount({
        acctNo: '30100001',
        now: '2023-03-01T21:00:00Z',
        lines,
        cash: [
          { ...balance, tradeDate: number(day, 'cash') },
          { ...balance, tradeDate: number(day, 'div') },
        ],
        fxRates: new Map(),
        margin: null,
        marginInterestAccrued: ZERO,
      })
      assert.equal(money(summary.totalAccountValue), cents(total))
      assert.equal(money(summary.totalLongMarket + summary.totalCash), cents(long))
      assert.equal(money(summary.totalShortMarket), cents(short))
    })
  })
})

const PLAIN_LOT = {
  acctTypeCode: 1 as const,
  openDate: '2023-01-03',
  holdingStart: '2023-01-03',
  fxRate: ONE,
  washDisallowed: ZERO,
  heldAway: false,
}

test('every published case of the file has a test above', async () => {
  const { readFile } = await import('node:fs/promises')
  const text = await readFile(new URL(import.meta.url), 'utf8')
  assert.deepEqual(
    oracles.cases.map(({ id }) => id).filter((id) => !text.includes(id)),
    [],
  )
})
