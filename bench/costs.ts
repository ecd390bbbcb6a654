/**
 * Measures the cost of one request for the database: statements, round trips, bytes of the log, entries of
 * indexes. Counts do not depend on the speed of a machine, so the figures have limits: a row fails when a
 * change makes a request more expensive. Requests run one after another, and the service's own work in the
 * same time is subtracted. With BENCH_TABLES set it also prints the bytes, insertions and records of each
 * table and index.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { operations } from '@clearing/protocol'
import type pg from 'pg'
import { type FaultProxy, startFaultProxy } from '../server/src/database/testing/fault-proxy.ts'
import { drainQueue, type House, openHouse, openSession } from './house.ts'
import type { Row } from './measure.ts'

const requests = 100
const accountsBefore = 60
/** Longer than the analysis of one table takes. */
const analyzedWithinMs = 1_000
/** The log of calls is written slightly later, and belongs to the calls. */
const callsLoggedAfterMs = 1_000
const example = operations['new-account'].examples[0].request

const kinds = ['statements', 'roundTrips', 'logBytes', 'indexEntries'] as const
type Costs = Readonly<Record<(typeof kinds)[number], number>>

interface Counting {
  readonly database: pg.Client
  readonly proxy: FaultProxy
}

/** The costs when this was written, plus five percent; statements and round trips those of a busy machine. */
const most: Readonly<Record<string, Costs>> = {
  'new-account to CreationComplete': {
    statements: 38.6,
    roundTrips: 8.2,
    logBytes: 20_900,
    indexEntries: 64.8,
  },
  'get-account': { statements: 6.7, roundTrips: 2.3, logBytes: 1_130, indexEntries: 5.3 },
  'list-accounts': { statements: 3.8, roundTrips: 1.5, logBytes: 590, indexEntries: 2.1 },
}

export async function rows(): Promise<Row[]> {
  let proxy: FaultProxy | undefined
  await using house = await openHouse({
    serverSettings: { shared_preload_libraries: 'pg_stat_statements', autovacuum: 'off' },
    through: async (url) => {
      proxy = await startFaultProxy(url)
      return proxy.through(url)
    },
  })
  await using counting = proxy
  if (counting === undefined) throw new Error('the service does not use the proxy')
  await using database = await openSession(house)
  await database.query('create extension pg_stat_statements; create extension pg_walinspect')
  const measure = (name: string, call: (at: number) => Promise<unknown>) =>
    costsOf({ database, proxy: counting }, name, call)
  return (await measureAll(house, database, measure)).flat()
}

async function measureAll(
  { client }: House,
  database: pg.Client,
  measure: (name: string, call: (at: number) => Promise<unknown>) => Promise<Row[]>,
): Promise<Row[][]> {
  const open = (at: number) =>
    client.newAccount(JSON.parse(JSON.stringify(example).replace('219099998', String(219_110_002 + at))))
  const opened = await open(-1)
  const { accountNumber } = opened.data.message
  await untilAnalyzed(database, open)
  return [
    await measure('new-account to CreationComplete', open),
    await measure('get-account', () => client.getAccount({ accountNumber })),
    await measure('list-accounts', () => client.listAccounts({})),
  ]
}

/**
 * Opens accounts until the service has analyzed the tables of its new database (decision 176). Later, the statistics
 * would be counted as bytes of the requests, or subtracted from them as the service's own work. The checkpoint is
 * before these accounts: the bytes exclude full images of pages, and a row that is in such an image is not counted.
 */
async function untilAnalyzed(database: pg.Client, open: (at: number) => Promise<unknown>): Promise<void> {
  await database.query('checkpoint')
  for (let at = 0; at < accountsBefore; at++) await open(requests + at)
  const analyzed = async () => {
    const { rows } = await database.query(
      `select count(*)::integer as tables from pg_stat_user_tables where schemaname = 'clearing' and analyze_count > 0`,
    )
    return rows[0].tables
  }
  for (let before = 0, now = 0; now === 0 || now > before; now = await analyzed()) {
    before = now
    await pause(analyzedWithinMs)
  }
}

async function costsOf(
  counting: Counting,
  name: string,
  call: (at: number) => Promise<unknown>,
): Promise<Row[]> {
  await drainQueue(counting.database)
  const from = await placeOfLog(counting)
  const startedMs = performance.now()
  const counted = await countOf(counting, async () => {
    // In sequence, because concurrent calls share statements and flushes, and their number depends on the
    // machine.
    for (let at = 0; at < requests; at++) await call(at)
    await drainQueue(counting.database)
    await pause(callsLoggedAfterMs)
  })
  const elapsedMs = performance.now() - startedMs
  if (process.env.BENCH_TABLES) await printTables(counting.database, from)
  const alone = await countOf(counting, () => pause(elapsedMs))
  return kinds.map((what) => rowOf(name, what, (counted[what] - alone[what]) / requests))
}

async function placeOfLog({ database }: Counting): Promise<string> {
  return (await database.query('select pg_current_wal_insert_lsn() as place')).rows[0].place
}

/**
 * The messages that the service sends and the bytes that the database writes during some work. Statements of
 * the benchmark are not counted.
 */
async function countOf(counting: Counting, doing: () => Promise<unknown>): Promise<Costs> {
  const { database, proxy } = counting
  await database.query('select pg_stat_statements_reset()')
  const from = await placeOfLog(counting)
  const tripsBefore = proxy.counts.roundTrips
  await doing()
  const roundTrips = proxy.counts.roundTrips - tripsBefore
  const { rows } = await database.query(
    `select (select sum(calls) from pg_stat_statements where toplevel and userid <> current_user::regrole) as statements,
       sum(record_size) as bytes, sum(count) filter (where "resource_manager/record_type" like 'Btree/INSERT\\_%') as entries
     from pg_get_wal_stats($1, pg_current_wal_flush_lsn(), true)`,
    [from],
  )
  const [found] = rows
  return {
    statements: Number(found.statements),
    roundTrips,
    logBytes: Number(found.bytes),
    indexEntries: Number(found.entries),
  }
}

/** The bytes and entries of one request, table by table and index by index. */
async function printTables(database: pg.Client, from: string): Promise<void> {
  const { rows } = await database.query(
    `with record as (
       select start_lsn, min(record_length) - sum(coalesce(block_fpi_length, 0)) as bytes, min(record_type) as type,
         (array_agg(relfilenode order by block_id))[1] as file
       from pg_get_wal_block_info($1, pg_current_wal_flush_lsn()) group by start_lsn)
     select coalesce(named.relname, 'of other databases') as relation, round(sum(bytes) / $2) as bytes,
       round(count(*) filter (where type like 'INSERT\\_%') / $2::numeric, 2) as insertions,
       round(count(*) / $2::numeric, 2) as records
     from record left join pg_class as named on named.oid = pg_filenode_relation(0, file)
     group by 1 order by 2 desc limit 80`,
    [from, requests],
  )
  for (const row of rows) console.error(`    ${row.bytes} ${row.insertions} ${row.records} ${row.relation}`)
}

const units: Readonly<Record<keyof Costs, string>> = {
  statements: 'statements',
  roundTrips: 'round trips',
  logBytes: 'bytes of the log',
  indexEntries: 'index entries',
}

function rowOf(name: string, what: keyof Costs, figure: number): Row {
  const target = most[name]?.[what] ?? 0
  return {
    name: `${name}: ${units[what]}`,
    measured: figure.toFixed(1),
    floor: '',
    figure,
    target: `≤ ${target}`,
    met: figure <= target,
    note: `of one request, over ${requests}; without full images of pages`,
  }
}
