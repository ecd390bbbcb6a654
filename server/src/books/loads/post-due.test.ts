import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statement, unprepared } from '../../database/statement.ts'
import { inTransaction } from '../../database/transaction.ts'
import { loadActivityLines, openTestBooks, testNow } from '../testing/books-database.ts'
import { postDue } from './post-due.ts'

const insertSecurity = statement(
  'test-insert-security-of-due-lines',
  `insert into clearing.security (symbol, sec_type_name, created_at, updated_at)
   values ('DUE', 'Common Stock', '2020-01-01', '2020-01-01')`,
)
function buy(externalId: string, acctNo: string, tradeDate: string) {
  return {
    externalId,
    acctNo,
    transType: 'Trade',
    buySell: 'BUY',
    symbol: 'DUE',
    quantity: '1',
    price: '5',
    tradeDate,
  }
}

test('lines whose day has come are posted once, even by concurrent processes, and later lines wait', async () => {
  await using books = await openTestBooks(['A0000001', 'A0000002'])
  const { operations } = books.database
  const rows = async (query: string) =>
    (
      await inTransaction(operations, { firm: null }, (tx) => tx.rows(unprepared<{ count: bigint }>(query)))
    )[0]?.count
  const waiting = () => rows('select count(*) from clearing.pending_line')
  const posted = () => rows('select count(*) from clearing.activity')
  await inTransaction(operations, { firm: null }, (tx) => tx.run(insertSecurity))
  const lines = Array.from({ length: 6_000 }, (_, index) =>
    buy(`${index}`, `A000000${1 + (index % 2)}`, index < 2_500 ? '2026-11-23' : '2026-11-24'),
  )
  const { accepted, pending } = await loadActivityLines(books, [
    ...lines,
    buy('later', 'A0000001', '2026-11-25'),
  ])
  assert.deepEqual([accepted, pending, await posted()], [6_001, 6_001, 0n])
  const due = (now: Date) => postDue({ pool: operations, now, clientId: 'service', traceId: 'trace' })
  await due(testNow)
  assert.equal(await posted(), 0n, 'the day of these lines has not come')
  await due(new Date('2026-11-23T15:00:00Z'))
  assert.deepEqual([await posted(), await waiting()], [2_500n, 3_501n])
  const tuesday = new Date('2026-11-24T15:00:00Z')
  await Promise.all([due(tuesday), due(tuesday), due(tuesday)])
  assert.deepEqual([await posted(), await waiting()], [6_000n, 1n])
  assert.equal(await rows('select sum(quantity_cash)::bigint as count from clearing.holding'), 6_000n)
})
