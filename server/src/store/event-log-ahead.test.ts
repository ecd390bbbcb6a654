/** A database that was restored from `pg_dump` into a new cluster: its events have ids of the old cluster. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../database/test-database.ts'
import { followCluster } from './event-lines.ts'
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

test('a start that ended after the newest event continues, until the line of the new cluster has begun', async () => {
  await using database = await createTestDatabase()
  const { operations } = database
  const next = async () => {
    const { rows } = await operations.pg.query('select pg_current_xact_id()::text as id')
    return BigInt(rows[0].id)
  }
  const name = (cluster: string) =>
    database.owner.pg.query(
      `set role clearing_operations; insert into clearing.firm (firm_id, name, created_at) values (gen_random_uuid(), 'A', now());
       reset role; update clearing.event_line set cluster = '${cluster}'`,
    )
  await name('1/00000001')
  const newest = (await next()) + 20_000n
  await database.owner.pg.query(`set role clearing_operations; insert into clearing.event_row
    (event_id, firm_id, sequence, type, at, trace_id, content, transaction_id)
    select gen_random_uuid(), firm_id, 1, 'account.opened', now(), '', '{}', '${newest}' from clearing.firm limit 1; reset role`)
  const waits: number[] = []
  const killed = passIdsOfEvents(operations, {
    onWait(left) {
      waits.push(left)
      if (left < 1_000_000) throw new Error('killed')
    },
    reportEveryMs: 0,
  })
  await assert.rejects(killed, /killed/)
  assert.ok((waits[0] ?? 0) > 1_000_000)
  const reached = await next()
  assert.ok(reached > newest && reached < newest + 1_000_000n)
  assert.ok((await passIdsOfEvents(operations, { onWait: () => {} })) > 0)
  assert.ok((await next()) > newest + 1_000_000n)
  await followCluster(operations)
  assert.equal(await passIdsOfEvents(operations, { onWait: () => {} }), 0)
})
