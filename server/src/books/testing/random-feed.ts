/** For property tests: random lines of a feed for one account, of every kind that the books know, with corrections. */
import { addDays } from '@clearing/domain/market'
import fc from 'fast-check'
import type { TestLine } from './books-database.ts'

/**
 * The securities loaded in advance: three stocks, a pool of bonds, a fund, a stock in euros and an option on
 * the first stock.
 */
export const randomFeedSecurities: readonly TestLine[] = [
  { symbol: 'AAA', description: 'AAA CORP', secTypeName: 'Common Stock' },
  { symbol: 'BBB', description: 'BBB CORP', secTypeName: 'Common Stock', lotMethod: 'HIFO' },
  { symbol: 'CCC', description: 'CCC CORP', secTypeName: 'Common Stock', lotMethod: 'LIFO' },
  { symbol: 'POOL', couponRate: '5', maturityDate: '2040-01-01', currentFactor: '0.9' },
  { symbol: 'FUND', secTypeName: 'Mutual Fund' },
  { symbol: 'EURO', currency: 'EUR', secTypeName: 'Common Stock' },
  { symbol: 'AAA C10', putCall: 'Call', strike: '10', expiration: '2027-12-17', underlying: 'AAA' },
]

function cents(most: number) {
  return fc.integer({ min: 1, max: most }).map((amount) => (amount / 100).toFixed(2))
}
const shares = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 50 }).map(String) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9_999_999 }).map((part) => (part / 100_000).toFixed(5)) },
)
const stock = fc.constantFrom('AAA', 'AAA', 'AAA', 'BBB', 'CCC')

const trade = fc
  .record({
    symbol: fc.constantFrom('AAA', 'AAA', 'AAA', 'BBB', 'CCC', 'FUND', 'EURO', 'AAA C10'),
    buySell: fc.constantFrom('BUY', 'BUY', 'SEL', 'SEL', 'SSL', 'BCV'),
    quantity: shares,
    price: cents(2_000),
    commission: fc.constantFrom('0', '1.00', '4.95'),
  })
  .map((fields) => ({ transType: 'Trade', ...fields }))
function signed(amount: fc.Arbitrary<string>, sign: '+' | '-' | '±') {
  return sign === '+'
    ? amount
    : fc.tuple(amount, fc.boolean()).map(([text, pays]) => (sign === '-' || pays ? `-${text}` : text))
}
const cash = fc
  .constantFrom(
    ['Deposit', '+'],
    ['Deposit', '+'],
    ['WithdrawalReturn', '+'],
    ['FeeRefund', '+'],
    ['TaxRefund', '+'],
    ['Withdrawal', '-'],
    ['DepositReturn', '-'],
    ['Fee', '-'],
    ['Tax', '-'],
    ['Interest', '±'],
    ['Journal', '±'],
  )
  .chain(([transType = '', sign]) =>
    fc.record({
      transType: fc.constant(transType),
      // A value with more decimal places than the cent is rounded to it.
      netAmount: signed(
        fc.oneof(cents(100_000), fc.constantFrom('12.345', '0.001', '7')),
        sign as '+' | '-' | '±',
      ),
      currency: fc.constantFrom('USD', 'USD', 'EUR', 'JPY'),
    }),
  )
const dividend = fc.record({
  transType: fc.constantFrom('Dividend', 'CapitalGain'),
  symbol: stock,
  netAmount: signed(cents(5_000), '±'),
})
const transfer = fc.oneof(
  fc.record({
    transType: fc.constant('TransferIn'),
    symbol: stock,
    quantity: shares,
    cost: cents(50_000),
    openDate: fc.constantFrom('2020-03-04', '2022-12-30'),
  }),
  fc.record({ transType: fc.constant('TransferOut'), symbol: stock, quantity: shares }),
  fc.record({ transType: fc.constant('Journal'), symbol: stock, quantity: shares.map((text) => `-${text}`) }),
)
const action = fc.oneof(
  fc.record({
    transType: fc.constantFrom('Split', 'StockDividend'),
    symbol: stock,
    ratio: fc.constantFrom('2:1', '3:2', '1:10', '1:3'),
    cashInLieu: fc.constantFrom(undefined, '0.37', '4'),
  }),
  fc.record({
    transType: fc.constant('Merger'),
    symbol: stock,
    toSymbol: fc.constant('FUND'),
    ratio: fc.constantFrom('1:1', '2:3'),
    cashPerShare: fc.constantFrom('0.50', '2'),
  }),
  fc.record({
    transType: fc.constantFrom('Merger', 'Spinoff'),
    symbol: fc.constantFrom('AAA', 'BBB'),
    toSymbol: fc.constant('CCC'),
    ratio: fc.constantFrom('1:2', '1:5'),
    price: fc.constantFrom('12', '30.55'),
    taxable: fc.constant('Y'),
  }),
  fc.record({
    transType: fc.constant('Spinoff'),
    symbol: fc.constantFrom('AAA', 'BBB'),
    toSymbol: fc.constant('CCC'),
    ratio: fc.constantFrom('1:2', '1:5'),
    costShare: fc.constantFrom('0.25', '0.1'),
  }),
  // The sign of an amount per share depends on the position.
  fc.record({
    transType: fc.constant('ReturnOfCapital'),
    symbol: stock,
    cashPerShare: fc.constantFrom('0.25', '1.1'),
  }),
  fc.record({
    transType: fc.constant('Redemption'),
    symbol: fc.constant('POOL'),
    quantity: fc.constantFrom('1000', '2500'),
  }),
  fc.record({
    transType: fc.constant('FactorChange'),
    symbol: fc.constant('POOL'),
    ratio: fc.constant('0.8:0.9'),
  }),
  fc.record({ transType: fc.constant('Expiration'), symbol: fc.constant('AAA C10') }),
  fc.record({
    transType: fc.constantFrom('Exercise', 'Assignment'),
    symbol: fc.constant('AAA C10'),
    toSymbol: fc.constant('AAA'),
    quantity: fc.constantFrom('1', '3'),
    commission: fc.constantFrom('0', '4.95'),
  }),
)
const pool = fc.record({
  transType: fc.constant('Trade'),
  symbol: fc.constant('POOL'),
  buySell: fc.constant('BUY'),
  quantity: fc.constant('10000'),
  price: fc.constant('99.5'),
})

const body = fc.oneof(
  { weight: 8, arbitrary: trade as fc.Arbitrary<TestLine> },
  { weight: 2, arbitrary: cash as fc.Arbitrary<TestLine> },
  { weight: 1, arbitrary: dividend as fc.Arbitrary<TestLine> },
  { weight: 1, arbitrary: transfer as fc.Arbitrary<TestLine> },
  { weight: 2, arbitrary: action as fc.Arbitrary<TestLine> },
  { weight: 1, arbitrary: pool as fc.Arbitrary<TestLine> },
)

export interface RandomFeed {
  /** In the order of their dates, at most one per day. */
  readonly lines: readonly TestLine[]
  /** Adds cancels and rebills of some lines. */
  readonly corrections: readonly TestLine[]
}

/** Lines of an account on different days, so that their order of arrival makes no difference. */
export function randomFeed(acctNo: string, prefix: string, linesMax = 30): fc.Arbitrary<RandomFeed> {
  return fc
    .array(
      fc.record({ body, acctType: fc.constantFrom('1', '1', '2'), daysLater: fc.constantFrom(1, 1, 2, 9) }),
      {
        minLength: 4,
        maxLength: linesMax,
      },
    )
    .chain((steps) => {
      let tradeDate = '2024-01-02'
      const lines = steps.map(({ body: fields, acctType, daysLater }, index) => {
        tradeDate = addDays(tradeDate, daysLater)
        return { externalId: `${prefix}L${index}`, acctNo, acctType, tradeDate, ...fields }
      })
      const correction = fc.record({ at: fc.nat(lines.length - 1), how: fc.constantFrom(...correctionKinds) })
      return fc.uniqueArray(correction, { maxLength: 3, selector: ({ at }) => at }).map((corrections) => ({
        lines,
        corrections: corrections.flatMap(({ at, how }) => correct(lines[at] as TestLine, how)),
      }))
    })
}

const correctionKinds = ['cancel', 'cancel with its facts', 'rebill', 'rebill as another security'] as const

function correct(original: TestLine, how: (typeof correctionKinds)[number]): TestLine[] {
  const tagNo = original.externalId
  const cancel = { externalId: `${tagNo}C`, acctNo: original.acctNo, cancelType: 'C', tagNo }
  if (how === 'cancel') return [cancel]
  // The feed repeats the whole line, so that the cancel can arrive before the line itself.
  const whole = { ...original, ...cancel }
  if (how === 'cancel with its facts') return [whole]
  const rebill = { ...original, externalId: `${tagNo}R`, rebill: 'Y', tagNo }
  if (original.transType !== 'Trade') return [whole, rebill]
  const symbol = how === 'rebill' ? original.symbol : 'BBB'
  return [whole, { ...rebill, symbol, quantity: '7' }]
}
