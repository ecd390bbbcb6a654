// While the market stands still, the intraday margin level is the maintenance excess: the deficit of a day is the
// lowest excess after a line that lowered it, whatever the lines are and whenever they arrive.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addMutualFund,
  addSecurities,
  closeDay,
  makeBusinessDay,
} from '../../business-day/test-business-day.ts'
import { friday, monday } from '../../business-day/test-closes.ts'
import { statement } from '../../database/statement.ts'
import { inTransaction } from '../../database/transaction.ts'
import { balanceSummary } from '../../operations/balance-summary.ts'
import { loadActivityLines, openTestBooks, type TestBooks, type TestLine } from '../testing/books-database.ts'
import { KnownMarkets } from './known-market.ts'
import { Summaries } from './summary-now.ts'

const yesterday = '2026-11-20'
const today = '2026-11-23'
const accounts = Array.from({ length: 12 }, (_, at) => `A${String(at).padStart(7, '0')}`)
const prices = { STCK: '50', LENT: '10', MUTF: '10', CALL50: '5', BOND: '98' }

const insertSecurity = statement(
  'test-insert-security-of-levels',
  `with made as (
     insert into clearing.security (symbol, sec_type_name, multiplier, underlying, put_call, strike, expiration, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, '2020-01-01', '2020-01-01') returning sec_no
   )
   insert into clearing.price (sec_no, priced_at, price_type, price)
   select sec_no, '2026-11-01T21:00:00Z', 'LastClose', $8 from made`,
)

async function openBooks(): Promise<TestBooks> {
  const books = await openTestBooks(accounts)
  await addSecurities(books)
  await addMutualFund(books)
  await inTransaction(books.database.operations, { firm: null }, async (tx) => {
    tx.later(insertSecurity, ['LENT', 'Common Stock', 1, null, null, null, null, prices.LENT])
    await tx.run(insertSecurity, [
      'CALL50',
      'Equity Option',
      100,
      'STCK',
      'Call',
      50,
      '2027-12-17',
      prices.CALL50,
    ])
  })
  return books
}

function trade(buySell: string, symbol: keyof typeof prices, quantity: number, acctType = '2'): TestLine {
  const price = prices[symbol]
  return {
    transType: 'Trade',
    buySell,
    symbol,
    price,
    acctType,
    quantity: String(quantity),
    secFee: '0',
    interest: '0',
  }
}
function cash(transType: string, amount: number, acctType = '2'): TestLine {
  return { transType, acctType, netAmount: String(amount) }
}
function moved(transType: string, quantity: number, acctType = '2'): TestLine {
  const from = transType === 'TransferIn' ? { openDate: '2020-01-02', cost: '1000' } : {}
  return { transType, acctType, symbol: 'STCK', quantity: String(quantity), ...from }
}

/** What happens at once. Late lines concern nothing that lines of the day depend on. */
interface Step {
  readonly lines: readonly TestLine[]
  readonly isLate: boolean
}

const ofToday = fc
  .tuple(
    fc.constantFrom<(size: number) => TestLine[]>(
      (size) => [trade('BUY', 'STCK', size * 20)],
      (size) => [trade('SEL', 'STCK', size * 20)],
      (size) => [trade('SSL', 'STCK', size * 20, '3')],
      (size) => [trade('BCV', 'STCK', size * 10, '3')],
      (size) => [trade('BUY', 'CALL50', size)],
      (size) => [trade('SEL', 'CALL50', size)],
      (size) => [trade('BUY', 'MUTF', size * 50)],
      (size) => [trade('SEL', 'MUTF', size * 10)],
      (size) => [trade('BUY', 'BOND', size * 1000)],
      (size) => [trade('BUY', 'LENT', size * 100)],
      (size) => [cash('Deposit', size * 1000)],
      (size) => [cash('Withdrawal', size * -1000)],
      (size) => [cash('Journal', -size, '2'), cash('Journal', size, '3')],
      (size) => [moved('TransferIn', size * 20)],
      (size) => [moved('TransferOut', size * 5)],
      (size) => [moved('Journal', size * -10, '2'), moved('Journal', size * 10, '3')],
      (size) => [{ transType: 'Merger', symbol: 'BOND', cashPerShare: String(size / 5) }],
    ),
    fc.integer({ min: 1, max: 10 }),
  )
  .map(([make, size]): Step => ({ lines: make(size), isLate: false }))
const late = fc
  .tuple(
    fc.constantFrom<(size: number) => TestLine>(
      (size) => trade('BUY', 'LENT', size * 100),
      (size) => cash('Deposit', size * 1000),
      (size) => cash('Withdrawal', size * -1000),
    ),
    fc.integer({ min: 1, max: 10 }),
  )
  .map(([make, size]): Step => ({ lines: [{ ...make(size), tradeDate: yesterday }], isLate: true }))
const steps = fc.array(fc.oneof({ weight: 4, arbitrary: ofToday }, { weight: 1, arbitrary: late }), {
  minLength: 6,
  maxLength: 14,
})

function isOfLevel({ transType }: TestLine): boolean {
  return transType !== 'Journal' && transType !== 'TransferIn' && transType !== 'TransferOut'
}

test('while the market stands still, the deficit is the lowest maintenance excess after a line that lowered it', async () => {
  await using books = await openBooks()
  let ids = 0
  const load = async (account: string, tradeDate: string, lines: readonly TestLine[], now: Date) => {
    const numbered = lines.map((line) => {
      ids += 1
      return { externalId: `L${ids}`, acctNo: account, tradeDate, ...line }
    })
    assert.deepEqual((await loadActivityLines(books, numbered, { now })).rejects, [])
  }
  const markets = new KnownMarkets()
  const parts = { businessDay: makeBusinessDay(books), markets, summaries: new Summaries(markets) }
  const read = async (accountNumber: string): Promise<[excess: number, deficit: number]> => {
    const answer = await inTransaction(books.database.app, { firm: books.firmId, readOnly: true }, (tx) =>
      balanceSummary({ accountNumber } as never, { tx, now: monday, parts } as never),
    )
    const { data } = JSON.parse(JSON.stringify(answer))
    return [Number(data.marginBalance.houseExcess), Number(data.openCall.dayTradeCall)]
  }
  const before = [
    cash('Deposit', 8000),
    trade('BUY', 'STCK', 400),
    trade('BUY', 'BOND', 5000),
    { ...trade('BUY', 'MUTF', 200), tradeDate: '2026-06-01' },
    trade('BUY', 'MUTF', 100),
  ]
  for (const account of accounts) await load(account, yesterday, before, friday)
  await closeDay(books, friday)
  const left = [...accounts]
  await fc.assert(
    fc.asyncProperty(steps, async (happening) => {
      const account = left.pop()
      assert.ok(account, 'an account for each run')
      let [excess] = await read(account)
      let lowest: number[] = []
      let last: TestLine | undefined
      for (const { lines, isLate } of happening) {
        // Consecutive journals, and consecutive transfers, are one change.
        if (last !== undefined && !isOfLevel(last) && !lines.every(isOfLevel)) continue
        last = isLate ? last : lines.at(-1)
        await load(account, today, lines, monday)
        const [now, deficit] = await read(account)
        if (isLate) lowest = lowest.map((level) => level + now - excess)
        else if (now < excess) lowest.push(now)
        excess = now
        const expected = Math.max(0, ...lowest.map((level) => -level))
        assert.equal(deficit.toFixed(2), expected.toFixed(2), JSON.stringify(lines))
      }
    }),
    { seed: 20_261_130, numRuns: accounts.length, endOnFailure: true },
  )
})
