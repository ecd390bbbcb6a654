/**
 * Fidelity's worked examples of violations in cash accounts (Avoiding cash account trading violations,
 * https://www.fidelity.com/learning-center/trading-investing/trading/avoiding-cash-trading-violations), loaded like a
 * feed on past days. The fourth example, a cash liquidation, is a rule of Fidelity: Regulation T lets a sale within the
 * payment period pay for a purchase (12 CFR 220.8(b)).
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addDays, addMarketDays, settlementDate } from '@clearing/domain/market'
import { buy, type Line, line, load, newAccount, sell, service, startBeforeTests } from './booked-lines.ts'

startBeforeTests()

const longBefore = -1

/** A trade in AAA (the example's ABC), BBB (its XYZ) or a money-market fund, in market days from the first day. */
type Trade = readonly [day: number, side: 'buys' | 'sells', symbol: 'AAA' | 'BBB' | 'SWEEP', amount: number]
interface Example {
  readonly name: string
  readonly settledCash: number
  readonly trades: readonly Trade[]
  readonly goodFaithViolations: number
  /** The day of free riding, from which the account is restricted for 90 days. */
  readonly freeRiding?: number
}

const boughtBefore: Trade = [longBefore, 'buys', 'BBB', 10_000]
const examples: readonly Example[] = [
  {
    name: 'good faith, Marty: sells ABC before the sale that pays for it has settled',
    settledCash: 10_000,
    trades: [
      boughtBefore,
      [0, 'sells', 'BBB', 10_000],
      [0, 'buys', 'AAA', 10_000],
      [0, 'sells', 'AAA', 10_100],
    ],
    goodFaithViolations: 1,
  },
  {
    name: 'good faith, Marty: the next day, that sale has settled',
    settledCash: 10_000,
    trades: [
      boughtBefore,
      [0, 'sells', 'BBB', 10_000],
      [0, 'buys', 'AAA', 10_000],
      [1, 'sells', 'AAA', 10_100],
    ],
    goodFaithViolations: 0,
  },
  {
    name: 'good faith, Trudy: sells what she bought with the proceeds of the day',
    settledCash: 10_000,
    trades: [
      [0, 'buys', 'BBB', 10_000],
      [0, 'sells', 'BBB', 10_500],
      [0, 'buys', 'AAA', 10_500],
      [0, 'sells', 'AAA', 10_600],
    ],
    goodFaithViolations: 1,
  },
  {
    name: 'good faith, Trudy: no violation at first, because the first purchase was paid with settled cash',
    settledCash: 10_000,
    trades: [
      [0, 'buys', 'BBB', 10_000],
      [0, 'sells', 'BBB', 10_500],
      [0, 'buys', 'AAA', 10_500],
    ],
    goodFaithViolations: 0,
  },
  {
    name: 'free riding, Marty: pays for ABC with its own sale',
    settledCash: 0,
    trades: [
      [0, 'buys', 'AAA', 10_000],
      [2, 'sells', 'AAA', 10_500],
    ],
    goodFaithViolations: 0,
    freeRiding: 2,
  },
  {
    name: 'free riding, Trudy: pays for half of it',
    settledCash: 5_000,
    trades: [
      [0, 'buys', 'AAA', 10_000],
      [2, 'sells', 'AAA', 10_500],
    ],
    goodFaithViolations: 0,
    freeRiding: 2,
  },
  {
    name: 'cash liquidation, Marty: a later sale pays for ABC; no violation here',
    settledCash: 12_500,
    trades: [
      [longBefore, 'buys', 'BBB', 12_500],
      [0, 'buys', 'AAA', 10_000],
      [1, 'sells', 'BBB', 12_500],
    ],
    goodFaithViolations: 0,
  },
]

const swept: Trade = [longBefore, 'buys', 'SWEEP', 10_000]
const examplesOfFund: readonly Example[] = [
  {
    name: 'bought and sold on one day: the fund keeps its shares, because the sale pays',
    settledCash: 10_000,
    trades: [swept, [0, 'buys', 'AAA', 10_000], [0, 'sells', 'AAA', 10_100]],
    goodFaithViolations: 0,
  },
  {
    name: 'sold on the day on which the redemption of the fund pays, before it',
    settledCash: 10_000,
    trades: [swept, [0, 'buys', 'AAA', 10_000], [1, 'sells', 'AAA', 10_100], [1, 'sells', 'SWEEP', 10_000]],
    goodFaithViolations: 0,
  },
  {
    name: 'the redemption of the fund pays only once',
    settledCash: 10_000,
    trades: [
      swept,
      [0, 'buys', 'AAA', 10_000],
      [1, 'sells', 'SWEEP', 10_000],
      [1, 'buys', 'BBB', 10_000],
      [2, 'sells', 'BBB', 10_000],
    ],
    goodFaithViolations: 0,
    freeRiding: 2,
  },
  {
    name: 'a purchase of more than the fund holds is not paid in full',
    settledCash: 10_000,
    trades: [swept, [0, 'buys', 'AAA', 10_100], [2, 'sells', 'AAA', 10_500]],
    goodFaithViolations: 0,
    freeRiding: 2,
  },
]
const all = [...examples, ...examplesOfFund]

/** The first of four past market days that are also days of settlement. */
function firstDayOf(businessDate: string): string {
  const settlesNextDay = (date: string) => settlementDate(date, 'Equity') === addMarketDays(date, 1)
  let first = addMarketDays(addDays(businessDate, -16), 1)
  while (![0, 1, 2].every((count) => settlesNextDay(addMarketDays(first, count)))) {
    first = addMarketDays(first, 1)
  }
  assert.ok(addMarketDays(first, 3) <= businessDate)
  return first
}

function linesOf(acctNo: string, { settledCash, trades }: Example, day: (number: number) => string): Line[] {
  const deposit = { transType: 'Deposit', netAmount: String(settledCash), tradeDate: day(longBefore) }
  return [
    ...(settledCash === 0 ? [] : [line(acctNo, deposit)]),
    ...trades.map(([number, side, symbol, amount]) => {
      const quantity = symbol === 'SWEEP' ? amount : 100
      const fields = { tradeDate: day(number), ...(symbol === 'SWEEP' && { settleDate: day(number) }) }
      return (side === 'buys' ? buy : sell)(acctNo, symbol, quantity, String(amount / quantity), fields)
    }),
  ]
}

describe('published examples of cash accounts', () => {
  const accounts: string[] = []
  let first: string
  const dayOf = (number: number) =>
    number === longBefore ? addDays(first, -60) : addMarketDays(first, number)
  before(async () => {
    first = firstDayOf((await service.alpha.sandbox.getClock({})).data.businessDate)
    accounts.push(...(await Promise.all(all.map(() => newAccount()))))
    const fund = { symbol: 'SWEEP', secTypeName: 'Money Market Fund', moneyMarket: true }
    await service.operations.operations.loadSecurities({ lines: { ndjson: [fund] } })
    await load(...all.flatMap((example, index) => linesOf(accounts[index] ?? '', example, dayOf)))
    await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'As tests close days.' } })
  })

  for (const [index, { name, goodFaithViolations, freeRiding }] of all.entries()) {
    test(index < examples.length ? name : `with a money-market fund: ${name}`, async () => {
      const accountNumber = accounts[index] ?? assert.fail('it was not loaded')
      const { data } = await service.alpha.balanceSummary({ accountNumber })
      assert.deepEqual(data.cashAccount, {
        unpaid: data.cashAccount.unpaid,
        goodFaithViolations,
        settledCashOnlyUntil: freeRiding === undefined ? null : addDays(dayOf(freeRiding), 90),
      })
    })
  }
})
