/** The sentences of a summary about missing prices and exchange rates. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, ONE, ZERO } from '../../decimal.ts'
import { addDays } from '../calendar/day.ts'
import { aLot, aPrice, aSecurity, SAMPLE_NOW, SAMPLE_TODAY, valueSample } from './sample-positions.ts'
import { type AccountInput, type CashBalance, type CostRate, summarizeAccount } from './summarize.ts'

function messageOf(facts: Partial<AccountInput>) {
  return summarizeAccount({
    acctNo: '30100001',
    now: SAMPLE_NOW,
    lines: [],
    cash: [],
    fxRates: new Map(),
    margin: null,
    marginInterestAccrued: ZERO,
    ...facts,
  }).message
}

describe('a security without a price', () => {
  const numbers = { symbol: 'ABC', cusip: '037833100', isin: 'US0378331005', sedol: '2046251' }
  const table: [string, Partial<typeof numbers>, string][] = [
    ['by its symbol', {}, 'ABC'],
    ['by its CUSIP without a symbol', { symbol: '' }, '037833100'],
    ['by its ISIN without these', { symbol: '', cusip: '' }, 'US0378331005'],
    ['by its SEDOL without these', { symbol: '', cusip: '', isin: '' }, '2046251'],
    ['by its number otherwise', { symbol: '', cusip: '', isin: '', sedol: '' }, '77'],
  ]
  for (const [why, missing, name] of table) {
    test(`is named ${why}: ${name}`, () => {
      const lines = valueSample(
        [aLot('77', '1', '1')],
        [aSecurity({ secNo: '77', ...numbers, ...missing })],
        {},
      )
      assert.equal(messageOf({ lines }), `No price for ${name}: valued at 0, left out of gains.`)
    })
  }

  test('is named apart if it has expired and is still held', () => {
    const expiration = addDays(SAMPLE_TODAY, -1)
    const option = { expiration, putCall: 'Call', strike: decimal('5'), underlying: 'ABC' } as const
    const stock = aSecurity({ secNo: '77', symbol: 'ABC' })
    const call = aSecurity({ secNo: '78', symbol: 'ABC C5', kind: 'Option', option })
    const lines = valueSample([aLot('77', '1', '1'), aLot('78', '1', '1')], [stock, call], {})
    assert.equal(
      messageOf({ lines }),
      'No price for ABC: valued at 0, left out of gains. Expired and still held without a price of the underlying: ABC C5. Valued at 0, left out of gains.',
    )
    const expired = lines.filter(({ position }) => position.symbol === 'ABC C5')
    assert.equal(
      messageOf({ lines: expired }),
      'Expired and still held without a price of the underlying: ABC C5. Valued at 0, left out of gains.',
    )
    const valued = valueSample(
      [aLot('78', '1', '1')],
      [call],
      { 78: aPrice('5') },
      { atExpiration: new Map([['78', aPrice('2')]]) },
    )
    assert.equal(
      messageOf({ lines: valued }),
      'Expired and still held: ABC C5. Valued at the amount in the money at the expiration.',
    )
  })

  test('is named apart if its price is from before a corporate action', () => {
    const lines = valueSample(
      [aLot('77', '1', '1'), aLot('78', '1', '1')],
      [aSecurity({ secNo: '77', symbol: 'ABC' }), aSecurity({ secNo: '78', symbol: 'DEF' })],
      { 77: aPrice('5', { carried: true }), 78: aPrice('5') },
    )
    assert.equal(
      messageOf({ lines }),
      'No price for ABC since a corporate action: the last price before it counts, converted by its ratio.',
    )
  })

  test('is named up to the twentieth, and the others are counted', () => {
    const many = (count: number) => {
      const securities = Array.from({ length: count }, (_, index) => aSecurity({ secNo: `${index}` }))
      const lots = securities.map(({ secNo }) => aLot(secNo, '1', '1'))
      const [, names = ''] =
        /^No price for (.*): /.exec(messageOf({ lines: valueSample(lots, securities, {}) })) ?? []
      return names
    }
    assert.equal(many(20).split(', ').length, 20)
    assert.doesNotMatch(many(20), /more/)
    assert.match(many(21), / and 1 more$/)
    assert.equal(many(21).split(', ').length, 20)
  })
})

describe('a currency without an exchange rate', () => {
  const balance = (currency: string, tradeDate: string): CashBalance => ({
    acctTypeCode: 1,
    currency,
    tradeDate: decimal(tradeDate),
    settled: ZERO,
    pendingDebits: ZERO,
    pendingSales: ZERO,
    pendingShortSales: ZERO,
  })

  test('is named if there is cash in it', () => {
    assert.equal(messageOf({ cash: [balance('CHF', '0.01')] }), 'No exchange rate for CHF: counted as 0.')
  })

  test('is not named if there is no cash in it or it has a rate', () => {
    assert.equal(messageOf({ cash: [balance('CHF', '0')] }), '')
    assert.equal(messageOf({ cash: [balance('CHF', '1')], fxRates: new Map([['CHF', ONE]]) }), '')
  })

  test('is named once for two lines', () => {
    const securities = ['1', '2'].map((secNo) => aSecurity({ secNo, currency: 'CHF' }))
    const lines = valueSample([aLot('1', '1', '1'), aLot('2', '1', '1')], securities, {
      '1': aPrice('1'),
      '2': aPrice('1'),
    })
    assert.equal(messageOf({ lines }), 'No exchange rate for CHF: counted as 0.')
  })
})

describe('a cost at another rate than that of its day', () => {
  const late: CostRate = { currency: 'EUR', tradeDate: '2026-03-02', rateDate: '2026-03-02' }
  const dayBefore: CostRate = { currency: 'EUR', tradeDate: '2026-03-03', rateDate: '2026-03-02' }
  const nearest =
    'No exchange rate of the trade day for cost in EUR of 2026-03-03 (at 2026-03-02): the nearest known counts.'
  const restated = 'Cost in EUR of 2026-03-02 is restated: the rate of that day came later.'
  const table: [string, CostRate[], string][] = [
    ['none', [], ''],
    ['the rate of the day before', [dayBefore], nearest],
    ['the rate of the day, which arrived later', [late], restated],
    ['one of each', [late, dayBefore], `${nearest} ${restated}`],
  ]
  for (const [why, costRates, message] of table) {
    test(why, () => assert.equal(messageOf({ costRates }), message))
  }
})
