/** For tests: lines of a margin account that arrive day by day, and its ledger after the close of each day. */
import assert from 'node:assert/strict'
import {
  loadActivityLines,
  openTestBooks,
  type TestBooks,
  type TestLine,
} from '../books/testing/books-database.ts'
import { statement } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { addSecurities, closeDay, setPrice, stock } from './test-business-day.ts'
import { accounts, calls, firmId, friday, monday, rows, tuesday } from './test-closes.ts'

const [account = ''] = accounts
const closes = [friday, monday, tuesday]

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** What happens on one business day. */
export interface MarginDay {
  /** Their trade date is the day, unless they state another. */
  readonly lines: readonly TestLine[]
  /** The price of STCK from this day on. It begins at 50. */
  readonly price?: string
}

const insertSecurities = statement(
  'test-insert-margin-securities',
  `insert into clearing.security (symbol, sec_type_name, multiplier, underlying, put_call, strike, expiration, created_at, updated_at)
   values ('CALL50', 'Equity Option', 100, 'STCK', 'Call', 50, '2027-12-17', '2020-01-01', '2020-01-01'),
     ('CALL25', 'Equity Option', 100, 'STCK', 'Call', 25, '2027-12-17', '2020-01-01', '2020-01-01'),
     ('LENT', 'Common Stock', 1, null, null, null, null, '2020-01-01', '2020-01-01')`,
)

const insertPriceOf = statement(
  'test-insert-price-of',
  `insert into clearing.price (sec_no, priced_at, price_type, price)
   select sec_no, '2026-11-01T21:00:00Z', 'LastClose', 10 from clearing.security where symbol = 'LENT'`,
)

/** Books with the stocks STCK at 50 and LENT at 10, and the calls CALL25 and CALL50 on STCK. */
async function openMarginBooks(): Promise<TestBooks> {
  const books = await openTestBooks(accounts, firmId)
  await addSecurities(books)
  await inTransaction(books.database.operations, { firm: null }, async (tx) => {
    await tx.run(insertSecurities)
    await tx.run(insertPriceOf)
  })
  return books
}

/** Loads the lines of a business day, the first being Friday. Ids are the day and the place of the line: `0 1`. */
async function loadDay(books: TestBooks, day: number, { lines, price }: MarginDay): Promise<void> {
  const now = closes[day] ?? tuesday
  if (price !== undefined) await setPrice(books, stock, `${dayOf(now)}T20:00:00Z`, price)
  const numbered = lines.map((line, at) => ({
    externalId: `${day} ${at}`,
    acctNo: account,
    acctType: '2',
    tradeDate: dayOf(now),
    ...line,
  }))
  assert.deepEqual((await loadActivityLines(books, numbered, { now })).rejects, [])
}

function closeOf(books: TestBooks, day: number) {
  return closeDay(books, closes[day] ?? tuesday)
}

/** The SMA and the Federal calls at the last close. */
export async function ledgerAfter(...days: readonly MarginDay[]): Promise<[sma: number, called: number]> {
  await using books = await openMarginBooks()
  for (const [day, happening] of days.entries()) {
    await loadDay(books, day, happening)
    await closeOf(books, day)
  }
  const [ledger] = await rows<{ sma: number }>(
    books,
    'select sma::float from clearing.margin_ledger order by close_date desc limit 1',
  )
  const federal = (await calls(books)).filter(({ kind }) => kind === 'Fed')
  return [Number(ledger?.sma), federal.reduce((sum, { outstanding }) => sum + Number(outstanding), 0)]
}

export function trade(buySell: string, symbol: string, quantity: string, price: string): TestLine {
  const acctType = buySell === 'SSL' || buySell === 'BCV' ? '3' : '2'
  return { transType: 'Trade', buySell, symbol, quantity, price, acctType, secFee: '0' }
}
export function paid(netAmount: string): TestLine {
  return { transType: 'Deposit', netAmount }
}
export function moved(transType: string, quantity: string, of: TestLine = {}): TestLine {
  return { transType, symbol: 'STCK', quantity, ...of }
}
export function cancel(tagNo: string, line: TestLine): TestLine {
  return { ...line, cancelType: 'C', tagNo }
}
