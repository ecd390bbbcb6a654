import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestBooks } from '../../books/testing/books-database.ts'
import { unprepared, type Value } from '../../database/statement.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { raiseMissing } from './missing-lines.ts'

test('a close resolves every mended break of its accounts, also more than one statement examines', async () => {
  await using books = await openTestBooks(['A0000001', 'A0000002', 'A0000003'])
  const run = (text: string) =>
    inTransaction(books.database.operations, { firm: null }, (tx) => tx.rows(unprepared(text)))
  await run(
    'insert into clearing.account_books (account_number, firm_id) select account_number, firm_id from clearing.account',
  )
  // Nothing is held, so every one of these breaks is mended.
  await run(
    `insert into clearing.books_break (break_id, account_number, firm_id, kind, sec_no, acct_type, reason, raised_at)
     select gen_random_uuid(), account_number, firm_id, 'ExpiredHeld', number, 1, 'Still held.', '2026-11-19'
     from clearing.account, generate_series(1, 2500) as number`,
  )
  await run(
    `insert into clearing.books_break (break_id, account_number, firm_id, kind, reason, raised_at)
     select gen_random_uuid(), account_number, firm_id, 'Oversold', 'More was sold.', '2026-11-19' from clearing.account`,
  )
  await inTransaction(books.database.operations, { firm: null }, (tx) =>
    raiseMissing(tx, '2026-11-20', ['A0000001', 'A0000003'], new Date('2026-11-20T22:00:00Z')),
  )
  const open =
    'select account_number, kind, count(*)::integer from clearing.books_break where resolved_at is null'
  assert.deepEqual(await run(`${open} group by account_number, kind order by account_number, kind`), [
    { account_number: 'A0000001', kind: 'ExpiredHeld', count: 2_500 },
    { account_number: 'A0000001', kind: 'Oversold', count: 1 },
    { account_number: 'A0000002', kind: 'Oversold', count: 1 },
    { account_number: 'A0000003', kind: 'Oversold', count: 1 },
  ])
})

interface PlanNode {
  readonly Alias?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}
function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

test('the search for open breaks of an ended security reads those of one account, also without statistics', async () => {
  await using books = await openTestBooks([])
  const statements: [text: string, values: Value[]][] = []
  const asked = {
    row: () => Promise.resolve(undefined),
    later: ({ text }: { text: string }, values: Value[]) => statements.push([text, values]),
  } as unknown as Tx
  await raiseMissing(asked, '2026-11-20', ['', 'A0000001'], new Date('2026-11-20T22:00:00Z'))
  const found = await inTransaction(books.database.operations, { firm: null }, async (tx) => {
    const plans = []
    for (const [text, values] of statements.slice(0, 1)) {
      const query = unprepared<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`explain (format json) ${text}`)
      for (const row of await tx.rows(query, values)) plans.push(...row['QUERY PLAN'].map(({ Plan }) => Plan))
    }
    return plans.flatMap(nodesOf).filter(({ Alias }) => Alias === 'open')
  })
  assert.equal(found.length, 1)
  assert.match(found[0]?.['Index Cond'] ?? '', /account_number = /)
})
