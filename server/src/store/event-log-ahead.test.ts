/** A database that was restored from `pg_dump` into a new cluster: its events have ids of the old cluster. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../database/test-database.ts'
import { passIdsOfEvents } from './event-log-ahead.ts'

test('ids are used up until new events follow the events and webhooks of another cluster', async () => {
  await using database = await createTestDatabase()
  const { operations } = database
  const waits: number[] = []
  const pass = () => passIdsOfEvents(operations, { onWait: (left) => waits.push(left), reportEveryMs: 0 })
  const next = async () => {
    const { rows } = await operations.pg.query('select pg_current_xact_id()::text as id')
    return BigInt(rows[0].id)
  }
  const firmId = '00000000-0000-0000-0000-000000000001'
  await operations.pg.query(
    'insert into clearing.firm (firm_id, name, created_at) values ($1, $2, now()) on conflict do nothing',
    [firmId, 'A'],
  )
  const write = (transaction: bigint) =>
    database.owner.pg.query(`set role clearing_operations; insert into clearing.event_row
      (event_id, firm_id, sequence, type, at, trace_id, content, transaction_id) values
      (gen_random_uuid(), '${firmId}', 1, 'account.opened', now(), '', '{}', '${transaction}'); reset role`)
  await write(await next())
  assert.equal(await pass(), 0)
  const newest = (await next()) + 20_000n
  await write(newest)
  const used = await pass()
  assert.ok(used > 20_000 && waits.length > 1)
  assert.ok((await next()) > newest + 1_000_000n)
  assert.equal(await pass(), 0)
  await write(newest + 10_000_000_000n)
  await assert.rejects(pass(), /physical backup/)
})
