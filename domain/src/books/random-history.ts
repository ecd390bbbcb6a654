/** Random histories of an account for property tests: every kind of line, on three securities, an option and cash. */
import fc from 'fast-check'
import { decimal } from '../decimal.ts'
import { addDays } from '../market/calendar/day.ts'
import type { AcctType, ActivityLine, LotMethod, Security } from './activity.ts'
import { type ExampleFeed, type ExampleLine, exampleFeed, exampleSecurity } from './example-lines.ts'

const securities: readonly Security[] = ['ABC', 'DEF', 'GHI'].map((key) => exampleSecurity(key))
const callOption = exampleSecurity('ABC CALL', {
  multiplier: '100',
  option: { putCall: 'Call', strike: decimal('10') },
})
const putOption = exampleSecurity('ABC PUT', {
  multiplier: '100',
  option: { putCall: 'Put', strike: decimal('12') },
})

/** The kinds of lines in a history. */
export interface HistorySettings {
  readonly kinds?: readonly StepKind[]
  readonly stepsMax?: number
}

export type StepKind =
  | 'trade'
  | 'cash'
  | 'transfer'
  | 'journal'
  | 'delivery'
  | 'split'
  | 'exchange'
  | 'capital'
  | 'option'

const EVERY_KIND: readonly StepKind[] = [
  'trade',
  'trade',
  'trade',
  'trade',
  'cash',
  'transfer',
  'journal',
  'delivery',
  'split',
  'exchange',
  'capital',
  'option',
]

type Step = (
  feed: ExampleFeed,
  at: Pick<ExampleLine, 'date' | 'acctType' | 'security'>,
) => ActivityLine | ActivityLine[]

const dollars = fc.integer({ min: 0, max: 500_000 }).map((cents) => (cents / 100).toFixed(2))
const price = fc.integer({ min: 500, max: 1500 }).map((cents) => (cents / 100).toFixed(2))
const wholeShares = fc.integer({ min: 1, max: 40 }).map(String)
const shares = fc.oneof(
  wholeShares,
  fc.integer({ min: 1, max: 40_000_000 }).map((millionths) => (millionths / 1_000_000).toFixed(6)),
)
const ratio = fc.constantFrom('2:1', '3:2', '1:10', '1:3', '7:5', '1:1')
const securityOf = fc.constantFrom(...securities)

const steps: Readonly<Record<StepKind, fc.Arbitrary<Step>>> = {
  trade: fc
    .record({
      buySell: fc.constantFrom('BUY', 'BUY', 'SEL', 'SEL', 'SSL', 'BCV'),
      quantity: shares,
      price,
      commission: fc.constantFrom('0', '1', '4.95'),
      interest: fc.constantFrom('0', '0', '0.37'),
    })
    .map(
      (trade): Step =>
        (feed, at) =>
          feed.line('Trade', { ...at, ...trade }),
    ),
  cash: fc
    .record({
      transType: fc.constantFrom(
        'Deposit',
        'Withdrawal',
        'Dividend',
        'Interest',
        'Fee',
        'Tax',
        'CapitalGain',
      ),
      netAmount: dollars,
    })
    .map(
      ({ transType, netAmount }): Step =>
        (feed, at) =>
          feed.line(transType, { ...at, netAmount }),
    ),
  transfer: fc
    .record({
      comesIn: fc.boolean(),
      quantity: shares,
      cost: dollars,
      daysOld: fc.integer({ min: 0, max: 500 }),
    })
    .map(
      ({ comesIn, quantity, cost, daysOld }): Step =>
        (feed, at) =>
          comesIn
            ? feed.line('TransferIn', { ...at, quantity, cost, openDate: addDays(at.date, -daysOld) })
            : feed.line('TransferOut', { ...at, quantity }),
    ),
  journal: fc.record({ comesIn: fc.boolean(), quantity: shares, netAmount: dollars }).map(
    ({ comesIn, quantity, netAmount }): Step =>
      (feed, at) =>
        feed.line('Journal', { ...at, quantity: comesIn ? quantity : `-${quantity}`, netAmount }),
  ),
  // A short sale, and two journals that move shares against it.
  delivery: fc
    .record({
      quantity: shares,
      price,
      delivered: shares,
      acctType: fc.constantFrom<AcctType[]>(1, 2),
      shortFirst: fc.boolean(),
    })
    .map(
      ({ quantity, price: at11, delivered, acctType, shortFirst }): Step =>
        (feed, at) => {
          const short = { ...at, acctType: 3 } as const
          const sold = feed.sellShort({ ...short, quantity, price: at11 })
          const covers = () => feed.line('Journal', { ...short, quantity: delivered })
          const leaves = () => feed.line('Journal', { ...at, acctType, quantity: `-${delivered}` })
          return shortFirst ? [sold, covers(), leaves()] : [sold, leaves(), covers()]
        },
    ),
  split: fc
    .record({
      transType: fc.constantFrom('Split', 'StockDividend'),
      ratio,
      quantity: fc.option(wholeShares, { nil: undefined, freq: 3 }),
      cashInLieu: fc.option(dollars, { nil: undefined }),
    })
    .map(
      ({ transType, ...action }): Step =>
        (feed, at) =>
          feed.line(transType, { ...at, ...action }),
    ),
  exchange: fc
    .record({
      transType: fc.constantFrom('Merger', 'Spinoff', 'NameChange'),
      toSecurity: securityOf,
      ratio,
      costShare: fc.constantFrom('0', '0.25', '0.333333', '1'),
      taxable: fc.constantFrom(undefined, undefined, true as const),
      cashPerShare: fc.constantFrom(undefined, '0.75', '30'),
      price: fc.constantFrom(undefined, '11'),
      cashInLieu: fc.option(dollars, { nil: undefined }),
    })
    .map(
      ({ transType, toSecurity, ...terms }): Step =>
        (feed, at) => {
          const others = securities.filter((security) => security !== at.security)
          const received = toSecurity === at.security ? (others[0] ?? toSecurity) : toSecurity
          const to = { ...at, toSecurity: received, ratio: terms.ratio }
          if (transType === 'NameChange') return feed.line('NameChange', to)
          const { price: value, cashPerShare, cashInLieu } = terms
          if (terms.taxable) {
            const atValue = { ...to, price: '11', taxable: true, cashInLieu } as const
            return feed.line(transType, transType === 'Spinoff' ? atValue : { ...atValue, cashPerShare })
          }
          if (transType === 'Spinoff')
            return feed.line('Spinoff', { ...to, costShare: terms.costShare, cashInLieu })
          return feed.line('Merger', { ...to, price: value, cashPerShare, cashInLieu })
        },
    ),
  capital: fc
    .record({
      transType: fc.constantFrom('ReturnOfCapital', 'Redemption', 'Maturity', 'FactorChange', 'Reinvest'),
      quantity: shares,
      price,
      netAmount: dollars,
    })
    .map(
      ({ transType, quantity, price: at11, netAmount }): Step =>
        (feed, at) => {
          if (transType === 'ReturnOfCapital') return feed.line('ReturnOfCapital', { ...at, netAmount })
          if (transType === 'FactorChange') return feed.line('FactorChange', { ...at, ratio: '0.8:0.9' })
          return feed.line(transType, { ...at, quantity, price: at11 })
        },
    ),
  option: fc
    .record({
      transType: fc.constantFrom('Trade', 'Trade', 'Exercise', 'Assignment', 'Expiration'),
      buySell: fc.constantFrom('BUY', 'SSL', 'SEL', 'BCV'),
      isCall: fc.boolean(),
      quantity: fc.integer({ min: 1, max: 4 }).map(String),
      price: fc.integer({ min: 1, max: 300 }).map((cents) => (cents / 100).toFixed(2)),
    })
    .map(
      ({ transType, buySell, isCall, quantity, price: premium }): Step =>
        (feed, at) => {
          const security = isCall ? callOption : putOption
          const of = { ...at, security, quantity }
          if (transType === 'Trade') return feed.line('Trade', { ...of, buySell, price: premium })
          if (transType === 'Expiration') return feed.line('Expiration', of)
          return feed.line(transType, { ...of, toSecurity: securities[0] as Security })
        },
    ),
}

/** Lines in order, up to six days apart, some on one day. */
export function randomHistory({
  kinds = EVERY_KIND,
  stepsMax = 40,
}: HistorySettings = {}): fc.Arbitrary<ActivityLine[]> {
  const step = fc.record({
    step: fc.oneof(...kinds.map((kind) => steps[kind])),
    daysLater: fc.constantFrom(0, 0, 1, 3, 10),
    acctType: fc.constantFrom<AcctType[]>(1, 1, 1, 2, 3),
    security: fc.oneof(
      { weight: 3, arbitrary: fc.constant(securities[0] as Security) },
      { weight: 1, arbitrary: securityOf },
    ),
  })
  return fc.array(step, { minLength: 1, maxLength: stepsMax }).map((history) => {
    const feed = exampleFeed(securities[0] as Security)
    let date = '2023-01-03'
    return history.flatMap(({ step: write, daysLater, acctType, security }) => {
      date = addDays(date, daysLater)
      return write(feed, { date, acctType, security })
    })
  })
}

export const anyLotMethod: fc.Arbitrary<LotMethod> = fc.constantFrom('FIFO', 'LIFO', 'HIFO', 'Average')
