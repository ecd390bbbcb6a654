/** Lines that arrive while a close runs belong to the next day: the closed day accrues as if they had come later. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pricesLoader } from '../books/loads/quotes.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openTestBooks,
  runTestLoad,
  type TestBooks,
  type TestLine,
} from '../books/testing/books-database.ts'
import { parseMarginRates } from '../config/margin-rate.ts'
import { addFund, addSecurities, closeDay, makeBusinessDay } from './test-business-day.ts'
import { accounts, deposit, firmId, friday, monday, purchase, rows } from './test-closes.ts'

const [account = ''] = accounts
// A night on 1,000.00 costs 1.00.
const marginRates = parseMarginRates('36') ?? []

async function load(books: TestBooks, now: Date, lines: readonly TestLine[]): Promise<void> {
  assert.deepEqual((await loadActivityLines(books, lines, { now })).rejects, [])
}

async function openBooks(): Promise<TestBooks> {
  const books = await openTestBooks(accounts, firmId)
  await addSecurities(books)
  await addFund(books)
  const price = { symbol: 'FUND', price: '1', priceType: 'LastClose', priceDate: '2026-11-20T21:00:00Z' }
  const prices = bodyOf(ndjsonOf([{ ...price, yield: '5.11' }]))
  assert.deepEqual((await runTestLoad(books, 'load-prices', pricesLoader, prices)).rejects, [])
  return books
}

/** Closes Friday with lines. Others are loaded before it accrues. Closes Monday as well. */
async function closeWhileLoading(
  books: TestBooks,
  lines: readonly TestLine[],
  meanwhile: readonly TestLine[],
): Promise<void> {
  await load(books, friday, lines)
  let begun = false
  const day = makeBusinessDay(books, {
    marginRates,
    portionsAtOnce: 1,
    async beforePortion({ step }) {
      if (step !== 'Accrue' || begun) return
      begun = true
      await load(books, monday, meanwhile)
    },
  })
  await closeDay(books, friday, day)
  assert.ok(begun)
  await closeDay(books, monday, day)
}

function cancel(tagNo: string): TestLine {
  return { externalId: `${tagNo}C`, acctNo: account, cancelType: 'C', tagNo }
}

describe('margin interest of a close during which a line is cancelled', () => {
  const withdrawal = { ...deposit('1', account, '-5000'), transType: 'Withdrawal' }
  const accrued = (books: TestBooks) =>
    rows(
      books,
      `select close_date || ' / ' || of_date || ': ' || debit::float || ' = ' || interest::float as text
       from clearing.margin_interest order by close_date, of_date`,
    )
  const lineOf = (settleDate: string) => ({ ...purchase('2', account, '720'), settleDate })

  for (const [settleDate, ...expected] of [
    ['2026-11-20', '2026-11-20 / 2026-11-20: 41000 = 123', '2026-11-23 / 2026-11-20: 5000 = -108'],
    ['2026-11-23', '2026-11-20 / 2026-11-20: 5000 = 15'],
    ['2026-11-24', '2026-11-20 / 2026-11-20: 5000 = 15'],
  ] as const)
    it(`has the purchase that settles on ${settleDate} in the debit from then on`, async () => {
      await using books = await openBooks()
      await closeWhileLoading(books, [withdrawal, lineOf(settleDate)], [cancel('2')])
      assert.deepEqual(
        (await accrued(books)).map(({ text }) => text),
        [...expected, '2026-11-23 / 2026-11-23: 5000 = 5'],
      )
    })

  it('counts no shares of a short sale that has not settled', async () => {
    const short = { ...lineOf('2026-11-24'), acctType: '3', buySell: 'SSL', secFee: '0' }
    await using books = await openBooks()
    await closeWhileLoading(books, [withdrawal, short], [cancel('2')])
    assert.deepEqual(
      (await accrued(books)).map(({ text }) => text),
      ['2026-11-20 / 2026-11-20: 5000 = 15', '2026-11-23 / 2026-11-23: 5000 = 5'],
    )
  })
})

describe('a fund that is sold while a close runs', () => {
  const cash = { acctType: '1', price: '1' }
  const fund = { ...purchase('1', account, '100000', '2026-11-18'), ...cash, symbol: 'FUND' }
  const sale = { ...fund, externalId: '1S', buySell: 'SEL', tradeDate: '2026-11-23' }
  const other = deposit('9', account, '5')
  const interests = (books: TestBooks) =>
    rows(books, 'select close_date, interest::float from clearing.fund_accrual order by close_date')

  for (const [what, before, meanwhile] of [
    ['earns for its nights', [fund], [sale]],
    [
      'earns nothing if it was sold before it',
      [fund, sale].map((line) => ({ ...line, tradeDate: '2026-11-18' })),
      [other],
    ],
    ['earns nothing if it was bought while it ran', [other], [{ ...fund, tradeDate: '2026-11-23' }, sale]],
  ] as const)
    it(what, async () => {
      await using books = await openBooks()
      await closeWhileLoading(books, before, meanwhile)
      const earned = [{ close_date: '2026-11-20', interest: 42 }]
      assert.deepEqual(await interests(books), what.includes('nothing') ? [] : earned)
    })
})
