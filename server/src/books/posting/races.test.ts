/**
 * Concurrent loads close no lot twice and count no line twice. `RACE_ROUNDS=1000 node test/run.ts races` runs the
 * long race; the suite runs a shorter one.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { unprepared } from '../../database/statement.ts'
import { inTransaction } from '../../database/transaction.ts'
import { eachBooks } from '../../store/books/accounts-to-verify.ts'
import { Directory } from '../directory.ts'
import { securitiesLoader } from '../loads/securities.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openTestBooks,
  runTestLoad,
  type TestBooks,
} from '../testing/books-database.ts'
import { verifyAccount } from '../verify/verify-account.ts'

const rounds = Number(process.env.RACE_ROUNDS ?? 40)
const sellers = 8
const bought = 100
function accountOf(round: number) {
  return `R${String(round).padStart(7, '0')}`
}

async function openBooks(accounts: readonly string[]): Promise<TestBooks> {
  const books = await openTestBooks(accounts)
  await runTestLoad(books, 'load-securities', securitiesLoader, bodyOf(ndjsonOf([{ symbol: 'LOT' }])))
  return books
}

function trade(externalId: string, acctNo: string, buySell: string, quantity: number, more: object = {}) {
  return {
    externalId,
    acctNo,
    transType: 'Trade',
    buySell,
    symbol: 'LOT',
    quantity: String(quantity),
    price: '10',
    secFee: '0',
    tradeDate: buySell === 'BUY' ? '2026-03-02' : '2026-03-03',
    ...more,
  }
}

function rows<Row>(books: TestBooks, text: string): Promise<Row[]> {
  return inTransaction(books.database.operations, { firm: null, readOnly: true }, (tx) =>
    tx.rows(unprepared<Row>(text)),
  )
}

/** Compares the books of every account with the fold of its lines. */
function breaksOf(books: TestBooks): Promise<string[]> {
  return inTransaction(
    books.database.operations,
    { firm: null, readOnly: true, isolation: 'repeatable read' },
    async (tx) => {
      const found: string[] = []
      const directory = new Directory()
      for await (const account of eachBooks(tx, null)) {
        const { breaks } = await verifyAccount(tx, account, directory)
        found.push(...breaks.map(({ accountNumber, reason }) => `${accountNumber}: ${reason}`))
      }
      return found
    },
  )
}

describe(`${rounds} rounds of ${sellers} concurrent sales of one lot`, () => {
  test('close each share of the lot once, and a break reports the further sales, which are short', async () => {
    const accounts = Array.from({ length: rounds }, (_, round) => accountOf(round))
    await using books = await openBooks(accounts)
    await loadActivityLines(
      books,
      accounts.map((account) => trade(`${account} lot`, account, 'BUY', bought)),
    )
    for (const [round, account] of accounts.entries()) {
      // In sequence, the sales would sell 280 of 100 shares. Half of them name the lot.
      const sales = Array.from({ length: sellers }, (_, seller) =>
        trade(`${account} sale ${seller}`, account, 'SEL', 35, seller % 2 ? { lotId: `${account} lot` } : {}),
      )
      const answers = await Promise.all(sales.map((sale) => loadActivityLines(books, [sale])))
      for (const { accepted, rejects } of answers) assert.equal(accepted, 1, JSON.stringify(rejects))
      if (round % 50 === 0) assert.deepEqual(await positionsOf(books, account), [-180])
    }
    assert.deepEqual(await breaksOf(books), [])
    const [sold] = await rows<{ most: number; least: number; accounts: number }>(
      books,
      `select max(quantity)::float as most, min(quantity)::float as least, count(*)::int as accounts from (
         select account_number, sum(quantity) as quantity from clearing.closing where not gone group by account_number
       ) as closed`,
    )
    assert.deepEqual(sold, { most: bought, least: bought, accounts: rounds })
    const [short] = await rows<{ short: number; broken: number }>(
      books,
      `select count(*) filter (where quantity_cash = -180)::int as short,
         (select sum(quantity)::int from clearing.books_break where resolved_at is null) as broken from clearing.holding`,
    )
    assert.deepEqual(short, { short: rounds, broken: -180 * rounds })
  })
})

async function positionsOf(books: TestBooks, account: string): Promise<number[]> {
  const found = await rows<{ quantity: number }>(
    books,
    `select quantity::float as quantity from clearing.position where account_number = '${account}'`,
  )
  return found.map(({ quantity }) => quantity)
}

describe('a file that several clients send at the same time', () => {
  test('is loaded once, and each line is a duplicate for the other clients', async () => {
    const accounts = Array.from({ length: 20 }, (_, number) => accountOf(number))
    await using books = await openBooks(accounts)
    for (let round = 0; round < 10; round += 1) {
      const lines = accounts.flatMap((account) => [
        trade(`${round} ${account} 1`, account, 'BUY', 10),
        trade(`${round} ${account} 2`, account, 'SEL', 4),
      ])
      // The orders differ, so that the clients would lock the accounts in different orders.
      const senders = [lines, lines.toReversed(), lines, lines.toReversed()]
      const answers = await Promise.all(senders.map((sent) => loadActivityLines(books, sent)))
      const sum = (count: 'accepted' | 'duplicates' | 'rejected') =>
        answers.reduce((total, answer) => total + answer[count], 0)
      assert.deepEqual(
        [sum('accepted'), sum('duplicates'), sum('rejected')],
        [lines.length, 3 * lines.length, 0],
      )
    }
    assert.deepEqual(await breaksOf(books), [])
    assert.deepEqual(await positionsOf(books, accountOf(3)), [60])
  })
})
