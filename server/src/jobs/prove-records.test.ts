// The nightly verification takes all changed books and a part of the others. An unfinished portion is taken again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { loadActivityLines, openTestBooks, type TestBooks } from '../books/testing/books-database.ts'
import { closeDay, makeBusinessDay } from '../business-day/test-business-day.ts'
import { unprepared } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Parts } from '../operations/parts.ts'
import { findAccountsToProve, findSealsToProve } from '../store/books/proofs.ts'
import { type ProofPayload, proveBooks, proveRecords } from './prove-records.ts'

const accounts = Array.from({ length: 8 }, (_, at) => `A${String(at).padStart(7, '0')}`)
const friday = new Date('2026-11-20T22:00:00Z')
const monday = new Date('2026-11-23T22:00:00Z')
const log = pino({ enabled: false })

function deposit(acctNo: string, externalId: string) {
  return { externalId, acctNo, transType: 'Deposit', netAmount: '10', tradeDate: '2026-01-05' }
}
function due({ database }: TestBooks): Promise<string[]> {
  return inTransaction(database.operations, { firm: null }, findAccountsToProve)
}
function dueSeals({ database }: TestBooks): Promise<string[]> {
  return inTransaction(database.operations, { firm: null }, async (tx) => [...(await findSealsToProve(tx))])
}

let nights = 0
function clockOfNight() {
  return { now: () => new Date(monday.getTime() + nights * 86_400_000) }
}

/** The jobs that the nightly job queues. No worker runs them. */
async function beginNight(books: TestBooks): Promise<ProofPayload[]> {
  nights += 1
  const parts = {
    auditHeads: { verify: async () => ({ verified: true, firms: [] }) },
    clock: clockOfNight(),
    businessDay: makeBusinessDay(books),
  }
  const jobs = "graphile_worker._private_jobs where key like 'prove-books %'"
  const asOwner = { firm: null }
  await inTransaction(books.database.owner, asOwner, (tx) => tx.run(unprepared(`delete from ${jobs}`)))
  await proveRecords(books.database.operations, parts as unknown as Parts, log)
  const rows = await inTransaction(books.database.owner, asOwner, (tx) =>
    tx.rows(unprepared<{ payload: ProofPayload }>(`select payload from ${jobs} order by id`)),
  )
  return rows.map(({ payload }) => payload)
}
async function night(books: TestBooks): Promise<string[]> {
  const portions = await beginNight(books)
  const parts = { clock: clockOfNight(), businessDay: makeBusinessDay(books) }
  for (const portion of portions)
    await proveBooks(portion, books.database.operations, parts as unknown as Parts)
  return portions.flatMap((portion) => portion.accounts)
}

test('changed books are verified each night, and other books and seals in turn', async () => {
  await using books = await openTestBooks(accounts)
  await loadActivityLines(
    books,
    accounts.map((account) => deposit(account, `${account}-1`)),
    { now: friday },
  )
  await closeDay(books, friday)
  await closeDay(books, monday)

  assert.equal((await dueSeals(books)).length, 2)
  assert.deepEqual(await night(books), accounts, 'no books were verified before')
  assert.equal((await dueSeals(books)).length, 1)

  // Without a change, all books are verified again within seven nights, and no night verifies all of them.
  const again: string[] = []
  for (let count = 0; count < 7; count += 1) {
    const proved = await night(books)
    assert.equal(proved.length, 2)
    again.push(...proved)
  }
  assert.deepEqual([...new Set(again)].sort(), accounts)

  const changed = accounts[6] as string
  await loadActivityLines(books, [deposit(changed, `${changed}-2`)], { now: monday })
  const next = await due(books)
  assert.ok(next.includes(changed))
  assert.equal(next.length, 2, 'the changed books, and one of seven')
  assert.deepEqual(await night(books), next)
  assert.ok(!(await due(books)).includes(changed))
})

test('an unfinished portion is due again, and so are books that do not verify', async () => {
  await using books = await openTestBooks(accounts.slice(0, 3))
  const [first = '', second = '', third = ''] = accounts
  await loadActivityLines(
    books,
    [first, second, third].map((account) => deposit(account, account)),
    { now: friday },
  )
  // The state that a killed process leaves.
  assert.equal((await beginNight(books)).length, 1)
  assert.deepEqual(await due(books), [first, second, third])

  await inTransaction(books.database.operations, { firm: null }, (tx) =>
    tx.run(unprepared('update clearing.cash_balance set amount = amount + 1 where account_number = $1'), [
      second,
    ]),
  )
  await assert.rejects(night(books), /do not hold .*Cash A0000001/s)
  assert.deepEqual(
    await due(books),
    [first, second]
      .slice(1)
      .concat([first])
      .sort()
      .filter((one) => one !== third),
  )
})
