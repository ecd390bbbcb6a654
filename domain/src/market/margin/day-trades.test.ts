import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { abs, decimal, renderDecimal, ZERO } from '../../decimal.ts'
import { type DayTrade, dayTradesOf, isPatternDayTrader } from './day-trades.ts'

/** `BUY 100 1000`: a trade of ABC, or of a security named before it. */
function trade(words: string, date = '2025-03-03'): DayTrade {
  const parts = words.split(' ')
  const secNo = parts.length > 3 ? (parts.shift() ?? '') : 'ABC'
  const [buySell, quantity = '', amount = ''] = parts
  return {
    date,
    secNo,
    opens: buySell === 'BUY' || buySell === 'SSL',
    side: buySell === 'SSL' || buySell === 'BCV' ? 'short' : 'long',
    quantity: decimal(quantity),
    amount: abs(decimal(amount)),
  }
}

describe('the day trades', () => {
  const table: [what: string, trades: string[], count: number, cost: string][] = [
    ['a purchase alone', ['BUY 100 1000'], 0, '0.00'],
    ['a purchase and its sale', ['BUY 100 1000', 'SEL 100 1100'], 1, '1000.00'],
    ['a sale of shares held overnight before a purchase', ['SEL 100 1100', 'BUY 100 1000'], 0, '0.00'],
    ['a sale, a purchase and a sale', ['SEL 100 1100', 'BUY 100 1000', 'SEL 50 520'], 1, '500.00'],
    ['several purchases and one sale', ['BUY 250 2500', 'BUY 250 2600', 'SEL 500 5200'], 1, '5100.00'],
    ['one purchase and several sales', ['BUY 100 1000', 'SEL 40 410', 'SEL 60 630'], 1, '1000.00'],
    ['two rounds', ['BUY 100 1000', 'SEL 100 1010', 'BUY 100 1020', 'SEL 100 1030'], 2, '2020.00'],
    ['a short sale and its cover', ['SSL 100 1000', 'BCV 100 990'], 1, '1000.00'],
    ['the cover of an older short and a new short sale', ['BCV 100 990', 'SSL 100 1000'], 0, '0.00'],
    ['a purchase and a short sale', ['BUY 100 1000', 'SSL 100 1000'], 0, '0.00'],
    ['two securities', ['X BUY 10 100', 'Y BUY 10 200', 'Y SEL 10 210', 'X SEL 5 55'], 2, '250.00'],
    [
      'a third of each of two purchases',
      ['X BUY 3 100', 'X SEL 1 40', 'Y BUY 3 100', 'Y SEL 1 40'],
      2,
      '66.66',
    ],
    ['a sale of more than was bought on the day', ['BUY 100 1000', 'SEL 300 3300'], 1, '1000.00'],
  ]
  for (const [what, trades, count, cost] of table) {
    test(`in ${what}: ${count}, at a cost of ${cost}`, () => {
      const ours = dayTradesOf(trades.map((words) => trade(words)))
      assert.deepEqual([ours.count, renderDecimal(ours.cost, 2)], [count, cost])
    })
  }
})

describe('an account becomes a pattern day trader', () => {
  const round = (date: string) => [trade('BUY 100 1000', date), trade('SEL 100 1010', date)]
  // 2025-03-03 is a Monday.
  const week = ['2025-03-03', '2025-03-04', '2025-03-06', '2025-03-07'].flatMap(round)

  test('with four day trades within five business days', () => {
    assert.equal(isPatternDayTrader(week, '2025-03-07'), true)
    assert.equal(isPatternDayTrader(week, '2025-03-06'), false, 'three day trades before the fourth')
    assert.equal(isPatternDayTrader([], '2025-03-07'), false)
  })

  test('but not if the fourth is on the sixth business day, without weekends and holidays', () => {
    const days = ['2025-04-14', '2025-04-15', '2025-04-16']
    // The 18th is Good Friday, so the 21st is the fifth business day.
    assert.equal(isPatternDayTrader([...days, '2025-04-21'].flatMap(round), '2025-04-21'), true)
    assert.equal(isPatternDayTrader([...days, '2025-04-22'].flatMap(round), '2025-04-22'), false)
  })

  test('but not if day trades are at most six percent of the trades of those days', () => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, number) => trade(`S${number} BUY 1 10`, '2025-03-05'))
    // 4 of 66 trades are 6.06 percent, and 4 of 67 trades are 5.97 percent.
    assert.equal(isPatternDayTrader([...week, ...others(58)], '2025-03-07'), true)
    assert.equal(isPatternDayTrader([...week, ...others(59)], '2025-03-07'), false)
  })

  test('and remains one for ninety days after the last day trade', () => {
    assert.equal(isPatternDayTrader(week, '2025-06-05'), true)
    assert.equal(isPatternDayTrader(week, '2025-06-06'), false)
  })

  test('but not because of later trades', () => {
    assert.equal(isPatternDayTrader(week, '2025-03-02'), false)
    assert.equal(dayTradesOf([]).cost, ZERO)
  })
})
