import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statement, unprepared } from '../../database/statement.ts'
import { inTransaction } from '../../database/transaction.ts'
import { announcementsLoader } from '../loads/announcements.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openTestBooks,
  runTestLoad,
  type TestBooks,
  testNow,
} from '../testing/books-database.ts'
import { examineAnnouncements } from './examine-announcements.ts'

const insertSecurity = statement(
  'test-insert-announced-security',
  `insert into clearing.security (symbol, sec_type_name, created_at, updated_at)
   values ('HELD', 'Common Stock', '2020-01-01', '2020-01-01')`,
)
const cutOthers = statement(
  'test-cut-other-connections',
  `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()
     and usename = 'clearing_operations'`,
)
const holders = 2_300
const accounts = Array.from({ length: holders }, (_, index) => `A${String(index).padStart(7, '0')}`)
const payDate = '2026-11-23'

/** Books in which each account holds ten shares before the ex-date. */
async function openHolders(count = holders) {
  const numbers = accounts.slice(0, count)
  const books = await openTestBooks(numbers)
  await inTransaction(books.database.operations, { firm: null }, (tx) => tx.run(insertSecurity))
  const { accepted } = await loadActivityLines(
    books,
    numbers.map((acctNo) => ({
      externalId: `buy ${acctNo}`,
      acctNo,
      transType: 'Trade',
      buySell: 'BUY',
      symbol: 'HELD',
      quantity: '10',
      price: '5',
      tradeDate: '2026-11-19',
    })),
  )
  assert.equal(accepted, count)
  return books
}
async function announce(books: TestBooks, ...lines: Record<string, unknown>[]) {
  const answer = await runTestLoad(
    books,
    'load-corporate-actions',
    announcementsLoader,
    bodyOf(ndjsonOf(lines)),
  )
  assert.deepEqual([answer.accepted, answer.rejects], [lines.length, []])
}
function dividend(externalId: string) {
  return { externalId, type: 'Dividend', symbol: 'HELD', exDate: payDate, payDate, cashPerShare: '1' }
}
function examine({ database }: TestBooks, now: Date) {
  return examineAnnouncements({ pool: database.operations, now, clientId: 'service', traceId: 'trace' })
}
/** Examines with connections that are cut again and again, and once more without. */
async function examineDespiteCuts(books: TestBooks) {
  let done = false
  const cutting = (async () => {
    while (!done) {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await inTransaction(books.database.operations, { firm: null }, (tx) => tx.run(cutOthers)).catch(
        () => undefined,
      )
    }
  })()
  for (let tries = 0; tries < 2; tries += 1) await examine(books, onPayDate).catch(() => undefined)
  done = true
  await cutting
  await examine(books, onPayDate)
}
async function rowsOf({ database }: TestBooks, query: string) {
  return inTransaction(database.operations, { firm: null }, (tx) =>
    tx.rows(unprepared<{ name: string; count: bigint }>(query)),
  )
}
/** The lines of announcements, with those that were cancelled, and what they brought. */
async function booked(books: TestBooks, count = holders) {
  const [lines] = await rowsOf(
    books,
    `select count(*) filter (where correction is null) - count(*) filter (where correction = 'C') as count from clearing.activity
     where external_id like 'CA-%'`,
  )
  const [cash] = await rowsOf(
    books,
    `select coalesce(sum(amount), 0)::bigint + ${count * 50} as count from clearing.cash_balance`,
  )
  return [Number(lines?.count), Number(cash?.count)]
}
const before = testNow
const onPayDate = new Date('2026-11-23T15:00:00Z')

test('every holder has its lines once, however many processes book them', async () => {
  await using books = await openHolders()
  await announce(books, dividend('D1'))
  await examine(books, before)
  assert.deepEqual(await booked(books), [0, 0])
  const expected = await rowsOf(
    books,
    'select state as name, count(*) from clearing.announced_entitlement group by 1',
  )
  assert.deepEqual(expected, [{ name: 'Expected', count: BigInt(holders) }])
  await Promise.all([1, 2, 3].map(() => examine(books, onPayDate)))
  assert.deepEqual(await booked(books), [holders, holders * 10])
  await examine(books, onPayDate)
  assert.deepEqual(await booked(books), [holders, holders * 10])
  const versions = await rowsOf(
    books,
    'select state as name, sum(version) as count from clearing.announced_entitlement group by 1',
  )
  assert.deepEqual(versions, [{ name: 'Booked', count: BigInt(holders) }])
  // A load that another process made needless is not cut off, and no person has to look at it.
  const loads = await rowsOf(books, 'select distinct state as name, 0::bigint as count from clearing.load')
  assert.deepEqual(loads, [{ name: 'Complete', count: 0n }])
})

test('connections that are lost in the middle leave no holder out and book none twice', async () => {
  await using books = await openHolders()
  await announce(books, dividend('D1'), {
    ...dividend('S1'),
    type: 'Split',
    cashPerShare: undefined,
    ratio: '2:1',
  })
  await examineDespiteCuts(books)
  assert.deepEqual(await booked(books), [holders * 2, holders * 10])
  const [held] = await rowsOf(books, 'select sum(quantity_cash)::bigint as count from clearing.holding')
  assert.equal(held?.count, BigInt(holders * 20))
})

test('a cancel that comes while the lines are being booked leaves none of them', async () => {
  await using books = await openHolders()
  await announce(books, dividend('D1'))
  const booking = examine(books, onPayDate)
  await announce(books, { externalId: 'X1', cancelType: 'C', tagNo: 'D1' })
  await Promise.all([booking, examine(books, onPayDate)])
  await examine(books, onPayDate)
  assert.deepEqual(await booked(books), [0, 0])
  const states = await rowsOf(books, 'select state as name, count(*) from clearing.announcement group by 1')
  assert.deepEqual(states, [{ name: 'Cancelled', count: 1n }])
})

test('an amendment that comes while the lines are being booked leaves those of its own terms only', async () => {
  await using books = await openHolders()
  await announce(books, dividend('D1'))
  const booking = examine(books, onPayDate)
  await announce(books, { ...dividend('A1'), amends: 'D1', cashPerShare: '2' })
  await Promise.all([booking, examine(books, onPayDate)])
  await examine(books, onPayDate)
  assert.deepEqual(await booked(books), [holders, holders * 20])
  const states = await rowsOf(
    books,
    'select state as name, max(version)::bigint as count from clearing.announcement group by 1',
  )
  assert.deepEqual(states, [{ name: 'Booked', count: 2n }])
})

test('an amendment that is interrupted anywhere reverses and books every holder once', async () => {
  await using books = await openHolders()
  await announce(books, dividend('D1'))
  await examine(books, onPayDate)
  await announce(books, { ...dividend('A1'), amends: 'D1', cashPerShare: '2' })
  await examineDespiteCuts(books)
  assert.deepEqual(await booked(books), [holders, holders * 20])
})

test('of two examinations of an amendment, the first that ends leaves every line booked', async () => {
  await using books = await openHolders()
  await announce(books, dividend('D1'))
  await examine(books, onPayDate)
  await announce(books, { ...dividend('A1'), amends: 'D1', cashPerShare: '2' })
  const both = [examine(books, onPayDate), examine(books, onPayDate)]
  await Promise.race(both)
  assert.deepEqual(await booked(books), [holders, holders * 20])
  await Promise.all(both)
  assert.deepEqual(await booked(books), [holders, holders * 20])
})

test('lines of a late announcement are examined, also if its id begins with that of a booked one', async () => {
  await using books = await openHolders(3)
  await announce(books, dividend('HELD-1'))
  await examine(books, onPayDate)
  assert.deepEqual(await booked(books, 3), [3, 3 * 10])
  const [exDate, payDate] = ['2026-11-20', '2026-11-20']
  await announce(books, {
    externalId: 'HELD-1-2',
    type: 'Split',
    symbol: 'HELD',
    exDate,
    payDate,
    ratio: '2:1',
  })
  await examine(books, onPayDate)
  await examine(books, onPayDate)
  assert.deepEqual(await booked(books, 3), [3 * 2, 3 * 20])
})

test('of two loads with one amendment, one amends', async () => {
  await using books = await openTestBooks(accounts.slice(0, 1))
  await inTransaction(books.database.operations, { firm: null }, (tx) => tx.run(insertSecurity))
  await announce(books, dividend('D1'))
  const line = { ...dividend('A1'), amends: 'D1', cashPerShare: '2' }
  const load = () =>
    runTestLoad(books, 'load-corporate-actions', announcementsLoader, bodyOf(ndjsonOf([line])))
  const answers = await Promise.all([load(), load(), load()])
  assert.deepEqual(answers.map(({ accepted, duplicates }) => `${accepted} ${duplicates}`).sort(), [
    '0 1',
    '0 1',
    '1 0',
  ])
  const rows = await rowsOf(
    books,
    'select amends as name, count(*) from clearing.announcement_amendment group by 1',
  )
  assert.deepEqual(rows, [{ name: 'D1', count: 1n }])
})

test('of announcements with the same terms that several feeds load at once, one is accepted', async () => {
  await using books = await openTestBooks(accounts.slice(0, 1))
  await inTransaction(books.database.operations, { firm: null }, (tx) => tx.run(insertSecurity))
  const load = (externalId: string) =>
    runTestLoad(
      books,
      'load-corporate-actions',
      announcementsLoader,
      bodyOf(ndjsonOf([dividend(externalId)])),
    )
  const answers = await Promise.all(['F1', 'F2', 'F3', 'F4'].map(load))
  assert.deepEqual(answers.map(({ accepted }) => accepted).sort(), [0, 0, 0, 1])
  const refused = answers.flatMap(({ rejects }) => rejects.map(({ code }) => code))
  assert.deepEqual(refused, ['ERR.2050', 'ERR.2050', 'ERR.2050'])
})
