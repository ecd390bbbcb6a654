/** The outcomes of applications on the days of closes, with those of the days between two closes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { inTransaction } from '../database/transaction.ts'
import { findFinishedCloses } from './finished-closes.ts'

let database: TestDatabase
let superuser: pg.Client
before(async () => {
  database = await createTestDatabase()
  superuser = await database.superuser()
  await superuser.query(`set session_replication_role = replica;
    insert into clearing.business_day_close
      (close_date, next_date, marked_at, portions, step, accounts, trace_id, started_at, closed_at)
    select day, day + 1, now(), '{}', 'Closed', 0, '', now(), now()
    from unnest('{2025-01-02, 2025-01-03, 2025-01-06, 2025-01-07}'::date[]) as day;
    insert into clearing.onboarding_transition (account_number, firm_id, step, from_state, to_state, at, actor, reason)
    select 'A0000001', gen_random_uuid(), row_number() over (), 'Screening', state, at::timestamptz, '', '' from (values
      ('2025-01-01 12:00-05', 'CreationComplete'),
      ('2025-01-02 00:00-05', 'CreationComplete'),
      ('2025-01-03 23:59:59-05', 'Rejected'),
      ('2025-01-04 00:00-05', 'CreationComplete'),
      ('2025-01-05 12:00-05', 'CreationComplete'),
      ('2025-01-05 13:00-05', 'Rejected'),
      ('2025-01-06 12:00-05', 'CreationFailed'),
      ('2025-01-07 00:00-05', 'CreationComplete')
    ) as ended (at, state)`)
})
after(async () => {
  await database?.[Symbol.asyncDispose]()
})

test('the outcomes of a weekend count to the close after it, and those before the first close to none', async () => {
  const closes = await inTransaction(database.operations, { firm: null, readOnly: true }, (tx) =>
    findFinishedCloses(tx, undefined, 9),
  )
  assert.deepEqual(
    closes.map(({ close_date, opened, rejected }) => [close_date, opened, rejected]),
    [
      ['2025-01-07', 1n, 0n],
      ['2025-01-06', 2n, 2n],
      ['2025-01-03', 0n, 1n],
      ['2025-01-02', 1n, 0n],
    ],
  )
})
