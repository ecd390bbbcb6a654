import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Decimal, decimal, renderDecimal, ZERO } from '../../decimal.ts'
import { fundTerms } from '../fund-class.ts'
import { aLot, aPrice, aSecurity, SAMPLE_NOW, valueSample } from '../valuation/sample-positions.ts'
import { summarizeAccount } from '../valuation/summarize.ts'
import { marginFigures } from './figures.ts'
import { EMPTY_LEDGER, requireEquity } from './ledger.ts'
import { marginPositions } from './position.ts'
import { marginStanding } from './standing.ts'
import { tradeRequirement } from './stock-requirement.ts'

function money(value: Decimal) {
  return renderDecimal(value, 2)
}

const stock = aSecurity({ secNo: '1', symbol: 'ABC' })
const funds = aSecurity({ secNo: '2', symbol: 'MMF', kind: 'Fund', moneyMarket: true })
const call = aSecurity({
  secNo: '3',
  symbol: 'ABC C110',
  kind: 'Option',
  multiplier: decimal('100'),
  option: { putCall: 'Call', strike: decimal('110'), expiration: '2026-12-18', underlying: 'ABC' },
})
const foreign = aSecurity({ secNo: '4', symbol: 'XYZ', currency: 'EUR' })
const securities = [stock, funds, call, foreign]
const prices = { '1': aPrice('100'), '2': aPrice('1'), '3': aPrice('2'), '4': aPrice('4.80') }
const fxRates = new Map([['EUR', decimal('1.10')]])

describe('the positions of the margin account', () => {
  const lines = valueSample(
    [
      aLot('1', '10', '900'),
      aLot('1', '300', '27000', { acctTypeCode: 2 }),
      aLot('1', '5', '450', { acctTypeCode: 2, heldAway: true }),
      aLot('2', '500', '500', { acctTypeCode: 2 }),
      aLot('3', '-2', '-500', { acctTypeCode: 2 }),
      aLot('4', '-100', '-500', { acctTypeCode: 3 }),
    ],
    securities,
    prices,
    { fxRates },
  )
  const positions = marginPositions(lines, {
    today: '2026-06-30',
    underlyings: new Map([['ABC', { price: decimal('100'), ...fundTerms('Common Stock') }]]),
    houseLongPercents: new Map([['1', decimal('40')]]),
  })

  test('are those of account types 2 and 3 that are not held away', () => {
    assert.deepEqual(
      positions.map(({ symbol, marketValue }) => [symbol, money(marketValue)]),
      [
        ['ABC', '30000.00'],
        ['ABC C110', '-400.00'],
        ['MMF', '500.00'],
        ['XYZ', '-528.00'],
      ],
    )
  })

  test('are priced in dollars: a short at 4.80 euros is a short at 5.28 dollars', () => {
    const short = positions.find(({ symbol }) => symbol === 'XYZ') ?? assert.fail()
    assert.equal(renderDecimal(short.price), '5.28')
    const { requirements } = marginFigures({ marginCash: ZERO, positions: [short] })
    assert.equal(money(requirements[0]?.houseRequirement ?? ZERO), '500.00')
  })

  test('include house rates and covered options, and money-market funds have no loan value', () => {
    const figures = marginFigures({ marginCash: decimal('-10000'), positions })
    const house = new Map(figures.requirements.map((line) => [line.symbol, money(line.houseRequirement)]))
    assert.deepEqual(Object.fromEntries(house), {
      ABC: '12000.00',
      'ABC C110': '0.00',
      MMF: '500.00',
      XYZ: '500.00',
    })
    assert.equal(money(figures.equity), '19572.00')
    // The covered calls are worth 400. The rule does not deduct them from the equity.
    assert.equal(money(figures.maintenanceExcess), '6972.00')
    assert.equal(money(figures.finraExcess), '11472.00')
  })

  test('the proceeds of a short sale are no cash of the customer, and the premium of a written option is', () => {
    const held = (symbol: string) => positions.find((position) => position.symbol === symbol) ?? assert.fail()
    const short = held('XYZ')
    const written = held('ABC C110')
    const debit = (marginCash: Decimal, of: typeof positions) => {
      const { ownCash, debitBalance } = marginFigures({ marginCash, positions: of })
      return [ownCash, debitBalance].map(money)
    }
    assert.ok(short.marketValue < ZERO && written.marketValue < ZERO)
    assert.deepEqual(debit(-short.marketValue, [short]), ['0.00', '0.00'])
    assert.deepEqual(debit(-short.marketValue - decimal('0.01'), [short]), ['-0.01', '0.01'])
    assert.deepEqual(debit(decimal('400'), [written]), ['400.00', '0.00'])
  })
})

test('a margin account from a deposit to a call: 10,000 buys 30,000 of stock, which falls to 24,000', () => {
  const purchase = {
    side: 'Purchase' as const,
    amount: decimal('30000'),
    unitQuantity: decimal('300'),
    price: decimal('100'),
    marginable: true,
  }
  const ledger = requireEquity(
    EMPTY_LEDGER,
    [
      { kind: 'Deposit', date: '2026-11-20', amount: decimal('10000') },
      {
        kind: 'Purchase',
        date: '2026-11-20',
        amount: purchase.amount,
        requirement: tradeRequirement(purchase),
      },
    ],
    { equityOn: () => decimal('10000'), debit: decimal('20000'), restrictedBy: ZERO, hasShort: false },
  )
  const account = (price: string) => {
    const lines = valueSample([aLot('1', '300', '30000', { acctTypeCode: 2 })], [stock], {
      '1': aPrice(price),
    })
    const debit = decimal('-20000')
    const figures = marginFigures({
      marginCash: debit,
      positions: marginPositions(lines, { today: '2026-06-30', underlyings: new Map() }),
    })
    const cash = [
      {
        acctTypeCode: 2 as const,
        currency: 'USD',
        tradeDate: debit,
        settled: decimal('10000'),
        pendingDebits: decimal('-30000'),
        pendingSales: ZERO,
        pendingShortSales: ZERO,
      },
    ]
    const { summary } = summarizeAccount({
      acctNo: '30100002',
      now: SAMPLE_NOW,
      lines,
      cash,
      fxRates: new Map(),
      margin: marginStanding(figures, ledger),
      marginInterestAccrued: ZERO,
    })
    const { fedCallAmount, maintCallAmount, buyingPower, totalAccountValue, freeCash } = summary
    return [fedCallAmount, maintCallAmount, buyingPower, totalAccountValue, freeCash].map(money)
  }
  assert.deepEqual(account('100'), ['5000.00', '0.00', '0.00', '10000.00', '0.00'])
  assert.deepEqual(account('80'), ['5000.00', '2000.00', '0.00', '4000.00', '0.00'])
  assert.deepEqual(account('150'), ['5000.00', '0.00', '0.00', '25000.00', '0.00'], 'until the close')
})
