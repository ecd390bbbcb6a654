/** New tables are analyzed soon after the first jobs, so that kept plans find rows by their key. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import pino from 'pino'
import { prepareGround, type TestGround } from '../identity/test-service.ts'
import { analyzeNewTables, FirstStatistics } from './first-statistics.ts'
import { until } from './test-waiting.ts'

const alpha = '00000000-0000-4000-8000-000000000301'
const accounts = 1_000
const log = pino({ level: 'silent' })
const afterMs = 50

let ground: TestGround
let session: pg.Client
before(async () => {
  ground = await prepareGround()
  session = await ground.database.superuser()
  // Autovacuum could analyze the table at any moment of the test.
  await session.query('alter table clearing.account set (autovacuum_enabled = false)')
  // The session plans as a check of a foreign key in a firm's transaction does.
  await session.query("set plan_cache_mode = 'force_generic_plan'; set enable_seqscan = off")
  await session.query(
    'prepare account_of (uuid, text) as select 1 from only clearing.account x where firm_id = $1 and account_number = $2 for key share of x',
  )
  await blocksOf('40000001')
  await insertAccounts(40_000_000, accounts)
})
after(async () => {
  await ground?.[Symbol.asyncDispose]()
})

async function insertAccounts(after: number, count: number): Promise<void> {
  await session.query(
    `insert into clearing.account (account_number, firm_id, entity_number, rep_code, registration_type, status, account_name,
       version, record, sealed, created_at, updated_at)
     select ($3 + at)::text, $1, '301', 'JC01', 'Individual', 'Pending', 'ANN OWNER', 1, '{}', '\\x', now(), now()
     from generate_series(1, $2::integer) as at`,
    [alpha, count, after],
  )
}

/** Waits until PostgreSQL has counted so many changes since the last analysis, which it does within a second. */
async function changesAreCounted(changes: number): Promise<void> {
  for (let counted = -1; counted < changes; await pause(50)) {
    const { rows } = await session.query(
      "select n_mod_since_analyze as counted from pg_stat_user_tables where relid = 'clearing.account'::regclass",
    )
    counted = Number(rows[0].counted)
  }
}

/** The blocks that the kept plan reads for an account. */
async function blocksOf(accountNumber: string): Promise<number> {
  const { rows } = await session.query(
    `explain (analyze, buffers, format json) execute account_of ('${alpha}', '${accountNumber}')`,
  )
  const plan = rows[0]['QUERY PLAN'][0].Plan
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

async function rowsKnown(): Promise<number> {
  const { rows } = await session.query(
    "select reltuples from pg_class where oid = 'clearing.account'::regclass",
  )
  return rows[0].reltuples
}

test('new tables are analyzed after the fiftieth job, and not before', async () => {
  await changesAreCounted(accounts)
  const statistics = new FirstStatistics(ground.database.owner, log, afterMs)
  try {
    for (let job = 1; job <= 49; job++) statistics.countJob()
    await pause(afterMs * 5)
    assert.equal(await rowsKnown(), -1, 'the table is not analyzed yet')
    statistics.countJob()
    await until('the analysis', async () => (await rowsKnown()) === accounts)
  } finally {
    await statistics.stop()
  }
  const blocks = await blocksOf('40000900')
  assert.ok(blocks <= 6, `the plan that was made for an empty table reads ${blocks} blocks`)
})

test('a table without new rows is not analyzed again', async () => {
  assert.deepEqual(await analyzeNewTables(ground.database.owner), [])
})

test('a large table with new rows is left to autovacuum', async () => {
  await insertAccounts(50_000_000, 10_000)
  await session.query('analyze clearing.account')
  await insertAccounts(60_000_000, 100)
  await changesAreCounted(100)
  assert.deepEqual(await analyzeNewTables(ground.database.owner), [])
})

test('a database that is away is no fault of a job', async () => {
  const away = { ...ground.database.owner, acquire: () => Promise.reject(new Error('away')) }
  const said: string[] = []
  const recorded = pino({ level: 'warn' }, { write: (line) => void said.push(JSON.parse(line).msg) })
  const statistics = new FirstStatistics(away, recorded, afterMs)
  for (let job = 1; job <= 50; job++) statistics.countJob()
  await until('the warning', () => said.length > 0)
  await statistics.stop()
  assert.deepEqual(said, ['new tables were not analyzed'])
})
