import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderDecimal } from '@clearing/domain/decimal'
import { openTestBooks } from '../../books/testing/books-database.ts'
import { type Statement, unprepared, type Value } from '../../database/statement.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { readWashedClosings } from './results.ts'

const closings = 300

test('closings are read with their latest washes, without a join that statistics could plan as a nested loop', async () => {
  await using books = await openTestBooks(['A0000001'])
  await inTransaction(books.database.operations, { firm: null }, async (tx) => {
    const insert = (text: string) => tx.rows(unprepared(text))
    await insert(
      "insert into clearing.security (sec_no, symbol, created_at, updated_at) values (1, 'STCK', '2020-01-01', '2020-01-01')",
    )
    await insert(
      'insert into clearing.account_books (account_number, firm_id) select account_number, firm_id from clearing.account',
    )
    await insert(
      `insert into clearing.closing (account_number, external_id, ordinal, revision, firm_id, kind, sec_no, acct_type, lot_id, opened_by, quantity,
         open_date, holding_start, close_date, settle_date, proceeds, cost, wash_added, gain, cost_known, term)
       select account_number, 'L' || number, 0, 1, firm_id, 'Sale', 1, 1, 'B', 'B', 1, '2026-01-05', '2026-01-05', '2026-03-02', '2026-03-03', 5, 15, 0, -10, true, 'Short'
       from clearing.account, generate_series(1, ${closings}) as number`,
    )
    // The second revision of lot C is gone, and the wash of lot D counts from a later day.
    await insert(
      `insert into clearing.wash (account_number, loss_external_id, loss_ordinal, lot_id, revision, firm_id, gone, sec_no, quantity, disallowed, wash_date)
       select account_number, external_id, 0, washed.lot_id, washed.revision, firm_id, washed.gone, 1, 1, disallowed, wash_date::date from clearing.closing cross join (values
         ('B', 1, false, 9, '2026-03-02'), ('B', 2, false, 4, '2026-03-02'), ('C', 1, false, 3, '2026-03-02'),
         ('C', 2, true, 3, '2026-03-02'), ('D', 1, false, 2, '2026-03-20'), ('E', 1, false, 1, '2026-03-10')
       ) as washed (lot_id, revision, gone, disallowed, wash_date)`,
    )
  })
  const asked = { dateFrom: '2026-01-01', dateTo: '2026-12-31' }
  const read = await inTransaction(books.database.app, { firm: books.firmId, readOnly: true }, async (tx) => {
    const plans: string[] = []
    const explaining = Object.create(tx) as Tx
    Object.assign(explaining, {
      async *pages(statement: Statement<never>, values: readonly Value[], rowsMax: number) {
        plans.push(
          JSON.stringify(await tx.rows(unprepared(`explain (format json) ${statement.text}`), values)),
        )
        yield* tx.pages(statement, values, rowsMax)
      },
    })
    const pages = await Array.fromAsync(readWashedClosings(explaining, 'A0000001', asked, '2026-03-15'))
    return { plans, washed: pages.flat().map(({ washDisallowed }) => renderDecimal(washDisallowed)) }
  })
  assert.deepEqual(read.washed, Array(closings).fill('5'))
  assert.equal(read.plans.length, 1)
  assert.doesNotMatch(String(read.plans), /Nested Loop/)
})
