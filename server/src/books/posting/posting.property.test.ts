// The books equal the fold of the lines, for any lines, order and batches.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unprepared } from '../../database/statement.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { eachBooks } from '../../store/books/accounts-to-verify.ts'
import { Directory } from '../directory.ts'
import { securitiesLoader } from '../loads/securities.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openAccounts,
  openTestBooks,
  runTestLoad,
  type TestBooks,
  type TestLine,
} from '../testing/books-database.ts'
import { randomFeed, randomFeedSecurities } from '../testing/random-feed.ts'
import { verifyAccount } from '../verify/verify-account.ts'

const seed = 20_261_120

async function openBooks(): Promise<TestBooks> {
  const books = await openTestBooks([])
  const answer = await runTestLoad(
    books,
    'load-securities',
    securitiesLoader,
    bodyOf(ndjsonOf(randomFeedSecurities)),
  )
  assert.equal(answer.accepted, randomFeedSecurities.length, JSON.stringify(answer.rejects))
  return books
}

function verified(books: TestBooks, accountNumber: string) {
  return inTransaction(
    books.database.operations,
    { firm: null, isolation: 'repeatable read', readOnly: true },
    async (tx) => {
      for await (const account of eachBooks(tx, accountNumber))
        return verifyAccount(tx, account, new Directory())
      return undefined
    },
  )
}

/** The holdings of the account, without values that depend on the order of arrival. */
async function summaryOf(tx: Tx, accountNumber: string, prefix: string): Promise<string> {
  const own = (text: string) => `replace(${text}, '${prefix}', '')`
  const parts = [
    `select sec_no, acct_type, ${own('lot_id')} as lot, quantity, cost, open_date, holding_start, wash_added from clearing.lot
     where account_number = $1 order by sec_no, acct_type, open_date, place, lot`,
    'select acct_type, currency, trim_scale(amount) as amount from clearing.cash_balance where account_number = $1 and amount <> 0 order by 1, 2',
    `select distinct on (external_id, ordinal) ${own('external_id')} as line, ordinal, gone, kind, quantity, cost, proceeds, gain
     from clearing.closing where account_number = $1 order by external_id, ordinal, revision desc`,
    `select kind, ${own('external_id')} as line, sec_no, quantity from clearing.books_break
     where account_number = $1 and resolved_at is null order by 1, 2, 3, 4`,
  ]
  const rows = await Promise.all(
    parts.map((text) => tx.rows(unprepared<{ gone?: boolean }>(text), [accountNumber])),
  )
  const shown = rows.map((part) => part.filter((row) => row.gone !== true))
  return JSON.stringify(
    shown,
    (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    1,
  )
}

function own(lines: readonly TestLine[], acctNo: string, prefix: string): TestLine[] {
  return lines.map((line) => ({
    ...line,
    acctNo,
    externalId: `${prefix}${line.externalId}`,
    ...(line.tagNo === undefined ? {} : { tagNo: `${prefix}${line.tagNo}` }),
  }))
}

/** The lines in order, and the same lines in another order and divided into loads. */
const arrivals = randomFeed('any', '').chain(({ lines, corrections }) => {
  const all = [...lines, ...corrections]
  return fc.record({
    inOrder: fc.constant(all),
    mixed: fc.shuffledSubarray(all, { minLength: all.length }),
    cuts: fc.array(fc.nat(all.length), { maxLength: 3 }),
  })
})

function cut(lines: readonly TestLine[], cuts: readonly number[]): TestLine[][] {
  const edges = [0, ...cuts.toSorted((a, b) => a - b), lines.length]
  return edges.slice(1).map((to, index) => lines.slice(edges[index], to))
}

test('lines in any order and any batches give the same books as in sequence, and the books verify', async () => {
  await using books = await openBooks()
  let run = 0
  await fc.assert(
    fc.asyncProperty(arrivals, async ({ inOrder, mixed, cuts }) => {
      run += 1
      const [one, other] = [`A${String(run).padStart(7, '0')}`, `B${String(run).padStart(7, '0')}`] as const
      await openAccounts(books, [one, other], { firmId: books.firmId, entity: '301', rep: 'JC01' })
      assert.deepEqual((await loadActivityLines(books, own(inOrder, one, one))).rejects, [])
      const early: TestLine[] = []
      for (const part of cut(mixed, cuts)) {
        const lines = own(part, other, other)
        const { rejects } = await loadActivityLines(books, lines)
        early.push(...rejects.map(({ line }) => lines[line - 1] as TestLine))
      }
      // A cancel that only names its original cannot arrive before it. It is sent again.
      assert.ok(early.every(({ cancelType }) => cancelType === 'C'))
      const again = [...new Set(early)]
      if (again.length > 0) assert.deepEqual((await loadActivityLines(books, again)).rejects, [])
      for (const account of [one, other])
        assert.deepEqual((await verified(books, account))?.breaks, [], account)
      await inTransaction(books.database.operations, { firm: null, readOnly: true }, async (tx) => {
        assert.equal(await summaryOf(tx, other, other), await summaryOf(tx, one, one))
      })
    }),
    { seed, numRuns: 40, endOnFailure: false },
  )
})
