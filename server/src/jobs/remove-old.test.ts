/**
 * Records are removed when they are older than their retention period, and no day earlier. The service cannot remove
 * records that law requires.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { Settings } from '../config/read-settings.ts'
import { keptForGood, kinds, type Retention, readRetention } from '../config/retention.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { inTransaction } from '../database/transaction.ts'
import { removeOldAccessRecords } from '../store/access-records.ts'
import { freezeRows } from '../store/moving-firms.ts'
import { removeOld } from './remove-old.ts'

let database: TestDatabase
let session: pg.Client
before(async () => {
  database = await createTestDatabase()
  session = await database.superuser()
  await session.query(`set session_replication_role = replica; set TimeZone = 'UTC'`)
})
after(async () => {
  await database?.[Symbol.asyncDispose]()
})

const firm = '00000000-0000-4000-8000-0000000000aa'

/**
 * Inserts one row of each kind with the given age in days. The test of an hour avoids the boundary of the
 * day.
 */
const makers: Readonly<
  Record<keyof Retention, { table: string; insert: (name: string, at: string) => string }>
> = {
  requestDays: {
    table: 'request',
    insert: (name, at) => `insert into clearing.request
      (firm_id, at, request_id, trace_id, client_id, operation, address, status, error_codes, duration_ms, replayed)
      values ('${firm}', ${at}, gen_random_uuid(), '${name}', 'c', 'o', 'a', 200, '{}', 1, false)`,
  },
  deliveryDays: {
    table: 'webhook_delivery',
    insert: (name, at) => `insert into clearing.webhook_delivery
      (delivery_id, webhook_id, firm_id, kind, event_id, event_type, account_number, transaction_id, position, status, created_at, ended_at)
      values (gen_random_uuid(), gen_random_uuid(), '${firm}', 'Event', gen_random_uuid(), '${name}', 'A', '1', 1, 'Delivered', ${at}, ${at})`,
  },
  eventDays: {
    table: 'event_row',
    insert: (name, at) => `insert into clearing.event_row
      (firm_id, event_id, type, at, account_number, sequence, entity_number, rep_code, trace_id, content, written_at)
      values ('${firm}', gen_random_uuid(), '${name}', ${at}, 'A', (random() * 1e9)::bigint, '1', 'R', 't', '{}', ${at})`,
  },
  accessRecordDays: {
    table: 'access_record',
    insert: (
      name,
      at,
    ) => `insert into clearing.access_record (firm_id, account_number, at, client_id, operation, trace_id)
      values ('${firm}', 'A', ${at}, 'c', 'o', '${name}')`,
  },
}

const nameColumns = {
  request: 'trace_id',
  webhook_delivery: 'event_type',
  event_row: 'type',
  access_record: 'trace_id',
}

for (const [kind, { table, insert }] of Object.entries(makers) as [
  keyof Retention,
  (typeof makers)[keyof Retention],
][])
  test(`${kinds[kind].setting}: a record is removed on the day after the end of its retention`, async () => {
    await session.query(
      `insert into clearing.firm (firm_id, name, settings, created_at) values ('${firm}', 'Old', '{}', now()) on conflict do nothing`,
    )
    for (const days of [kinds[kind].days, kinds[kind].daysMin, kinds[kind].daysMin + 40]) {
      await session.query(`delete from clearing.${table}`)
      const ago = (more: string) => `clock_timestamp() - interval '${days} days' - interval '${more}'`
      // The order is that of the log.
      await session.query(insert('day after', ago('1 day')))
      await session.query(insert('just over', ago('1 hour')))
      await session.query(insert('just under', ago('-1 hour')))
      await session.query(insert('day before', ago('-1 day')))
      const retention = readRetention(new Settings({ [kinds[kind].setting]: String(days) }))
      await removeOld({ operations: database.operations, retention, now: new Date() })
      const column = nameColumns[table as keyof typeof nameColumns]
      const { rows } = await session.query(`select ${column} as name from clearing.${table} order by 1`)
      assert.deepEqual(
        rows.map(({ name }) => name),
        ['day before', 'just under'],
        `${days} days`,
      )
    }
  })

test('the database never removes an access record of the last three years', async () => {
  await session.query('delete from clearing.access_record')
  for (const [name, age] of [
    ['older', '3 years 1 hour'],
    ['younger', '2 years 364 days'],
  ])
    await session.query(
      makers.accessRecordDays.insert(name as string, `clock_timestamp() - interval '${age}'`),
    )
  const removed = await inTransaction(database.operations, { firm: null }, (tx) =>
    removeOldAccessRecords(tx, 1, 100),
  )
  assert.equal(removed, 1)
  const { rows } = await session.query('select trace_id from clearing.access_record')
  assert.deepEqual(rows, [{ trace_id: 'younger' }])
})

test('a setting below the minimum of the contract or of the rule is refused', () => {
  for (const { setting, daysMin } of Object.values(kinds)) {
    const settings = new Settings({ [setting]: String(daysMin - 1) })
    readRetention(settings)
    assert.match(settings.mistakes.join(), new RegExp(`${setting} must be a whole number from ${daysMin} `))
  }
})

test('no role of the service can remove records that law requires or truncate their tables', async () => {
  const tables = keptForGood.flatMap((kept) => kept.tables)
  const { rows } = await session.query(
    `select role, name, may from unnest($1::text[]) as name, unnest('{clearing_app, clearing_operations}'::text[]) as role,
       unnest('{DELETE, TRUNCATE}'::text[]) as may
     where has_table_privilege(role, 'clearing.' || name, may)`,
    [tables],
  )
  assert.deepEqual(rows, [])
})

test('while a firm is being moved, its records stay, and those of other firms are removed', async () => {
  const tables = ['request', 'webhook_delivery', 'event_row', 'idempotency']
  const other = firm.replace('aa', 'bb')
  const ago = "clock_timestamp() - interval '10 years'"
  const { requestDays, deliveryDays, eventDays } = makers
  for (const table of tables) await session.query(`delete from clearing.${table}`)
  for (const each of [firm, other]) {
    await session.query(
      `insert into clearing.firm (firm_id, name, settings, created_at) values ('${each}', 'Old', '{}', now()) on conflict do nothing`,
    )
    for (const { insert } of [requestDays, deliveryDays, eventDays])
      await session.query(insert('old', ago).replace(firm, each))
    await session.query(
      `insert into clearing.idempotency (firm_id, client_id, operation, kind, key_hash, request_digest, answer, created_at, expires_at)
       values ('${each}', 'c', 'o', 'key', sha256('k'), sha256('r'), '', ${ago}, ${ago})`,
    )
  }
  await session.query(
    `insert into clearing.moving_firm (firm_id, state, other_cell) values ('${firm}', 'Moved', 'cell-1')`,
  )
  await freezeRows(database.owner, database.operations, firm)
  await removeOld({
    operations: database.operations,
    retention: readRetention(new Settings({})),
    now: new Date(),
  })
  for (const table of tables) {
    const { rows } = await session.query(`select firm_id from clearing.${table}`)
    assert.deepEqual(rows, [{ firm_id: firm }], table)
  }
})
