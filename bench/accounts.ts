/**
 * Measures get-account, new-account and tokens under load, compared with floors of the same run, and the
 * memory of the service.
 */
import { fileURLToPath } from 'node:url'
import { operations } from '@clearing/protocol'
import type pg from 'pg'
import { openPool, type Pool } from '../server/src/database/pool.ts'
import { roundTrip, type Step } from '../server/src/database/round-trip.ts'
import { renderValue, type Statement, type Value } from '../server/src/database/statement.ts'
import { databaseUrlOf, drainQueue, freePort, type House, openHouse, startProcess } from './house.ts'
import { runLoad } from './load.ts'
import { alternate, perSecond, type Row, ratioRow } from './measure.ts'

const rounds = 5
const seconds = 3
const connections = 32
const callers = 16
const floorServer = fileURLToPath(new URL('./floor-server.ts', import.meta.url))
const application = JSON.stringify(operations['new-account'].examples[0].request).replace(
  '219099998',
  '#########',
)

export async function rows(): Promise<Row[]> {
  await using house = await openHouse()
  const found: Row[] = [await getAccountRow(house), await newAccountRow(house), await tokenRow(house)]
  const bytes = await house.service.memoryBytes()
  found.push({
    name: 'memory of the service after all of this',
    measured: `${Math.round(bytes / 1_048_576)} MB`,
    floor: '',
    figure: bytes / 1_048_576,
    target: '≤ 220 MB',
    met: bytes <= 220 * 1_048_576,
    note: 'resident memory of the one process, without the database',
  })
  return found
}

function headers(house: House) {
  return {
    authorization: `Bearer ${house.token}`,
    'content-type': 'application/json',
  }
}

async function getAccountRow(house: House): Promise<Row> {
  const example = operations['new-account'].examples[0].request
  const opened = await house.client.newAccount(example)
  if (!('message' in opened.data)) throw new Error('new-account did not answer in shape 1')
  const { accountNumber } = opened.data.message
  const url = `${house.address}/account-api/v1/get-account`
  const body = JSON.stringify({ accountNumber })
  const answer = await fetch(url, { method: 'POST', headers: headers(house), body })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const port = await freePort()
  const floor = await startProcess(
    [floorServer, databaseUrlOf(house), String(port), accountNumber],
    { FLOOR_ANSWER: bytes.toString('base64') },
    `http://127.0.0.1:${port}/`,
  )
  const load = { headers: headers(house), body, connections, seconds }
  try {
    const [ours, bare] = await alternate(
      rounds,
      async () => checked(await runLoad({ ...load, port: house.port, path: '/account-api/v1/get-account' })),
      async () => checked(await runLoad({ ...load, port, path: '/get-account' })),
    )
    const note = `${bytes.length} bytes; ours checks the token, opens the sealed numbers and commits an access record; writing to sockets and that commit take most of the remaining time`
    return ratioRow('get-account over a bare route with one select', ours, bare, 0.55, note)
  } finally {
    await floor.stop()
  }
}

function checked(result: { requestsPerSecond: number; failures: number }): number {
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`)
  return result.requestsPerSecond
}

async function newAccountRow(house: House): Promise<Row> {
  const load = { headers: headers(house), body: application, connections: callers, seconds }
  const url = databaseUrlOf(house)
  // The user of the address has the rights: no other role is taken.
  const pool = openPool({ name: 'owner', url, limits: { connectionsMax: callers } })
  try {
    const [ours, bare] = await alternate(
      rounds,
      async () => {
        const rate = checked(
          await runLoad({ ...load, port: house.port, path: '/account-api/v1/new-account' }),
        )
        // Queued work is not done during the round of the floor.
        await drainQueue(pool.pg)
        return rate
      },
      () => insertRows(pool),
    )
    const note =
      'the floor inserts the same rows, job included, in one message of prepared statements, 16 at once, in one process, without other work; ours validates, seals, and runs the onboarding in the meantime'
    return ratioRow('new-account over inserting its rows', ours, bare, 0.3, note)
  } finally {
    await pool.end()
  }
}

const tables = ['account', 'party', 'account_change', 'onboarding', 'event', 'audit', 'idempotency'] as const

/**
 * Inserts copies of the rows of an account that the service opened, with new keys. Each copy is one
 * transaction and one message.
 */
async function insertRows(pool: Pool): Promise<number> {
  const inserts = (await sampleRows(pool.pg)).flatMap(({ table, columns, rows }) =>
    rows.map((row) => ({ table, columns, row, statement: insertInto(table, columns) })),
  )
  const endMs = performance.now() + seconds * 1_000
  const startedMs = performance.now()
  let done = 0
  let counter = Math.floor(Math.random() * 1e9)
  const work = async () => {
    const client = await pool.acquire()
    try {
      while (performance.now() < endMs) {
        counter += 1
        const own = counter
        const steps = inserts.map(({ table, columns, row, statement }): Step => {
          const values = columns.map((column) =>
            renderValue(rename(table, column, row[column], own) as Value),
          )
          return { kind: 'run', statement, values }
        })
        await roundTrip(pool, client, [control('begin'), ...steps, queueLater, control('commit')])
        done += 1
      }
    } finally {
      client.release()
    }
  }
  await Promise.all(Array.from({ length: callers }, work))
  await pool.pg.query("delete from graphile_worker._private_jobs where run_at > now() + interval '12 hours'")
  return done / ((performance.now() - startedMs) / 1_000)
}

const queueLater: Step = {
  kind: 'run',
  statement: {
    name: 'floor job',
    text: "select graphile_worker.add_job('bench-floor', '{}', run_at => now() + interval '1 day')",
  },
  values: [],
}

function control(text: string): Step {
  return { kind: 'run', statement: { name: `floor ${text}`, text }, values: [] }
}

function insertInto(table: string, columns: readonly string[]): Statement<never> {
  const places = columns.map((_, index) => `$${index + 1}`).join(', ')
  const names = columns.map((name) => `"${name}"`).join(', ')
  return {
    name: `floor ${table}`,
    text: `insert into clearing.${table} (${names}) overriding system value values (${places})`,
  }
}

interface Sample {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly Record<string, unknown>[]
}

async function sampleRows(pool: pg.Pool): Promise<Sample[]> {
  const latest = await pool.query(
    "select account_number, firm_id from clearing.account where status <> 'Reserved' order by created_at limit 1",
  )
  const { account_number: accountNumber } = latest.rows[0]
  const found: Sample[] = []
  for (const table of tables) {
    const exists = await pool.query('select to_regclass($1) is not null as there', [`clearing.${table}`])
    if (!exists.rows[0].there) continue
    const columns = await pool.query(
      `select column_name, data_type from information_schema.columns
       where table_schema = 'clearing' and table_name = $1 and is_identity = 'NO' and column_name <> 'transaction_id'`,
      [table],
    )
    const names = columns.rows.map((row) => row.column_name as string)
    const where = names.includes('account_number')
      ? `where account_number = '${accountNumber}'`
      : "where operation = 'new-account'"
    const limit = table === 'party' ? 2 : 1
    const rows = await pool.query(`select * from clearing.${table} ${where} limit ${limit}`)
    found.push({
      table,
      columns: names,
      rows: rows.rows.map((row) =>
        Object.fromEntries(
          names.map((name) => [name, isJson(columns.rows, name) ? JSON.stringify(row[name]) : row[name]]),
        ),
      ),
    })
  }
  return found
}

function isJson(columns: { column_name: string; data_type: string }[], name: string): boolean {
  return columns.find((column) => column.column_name === name)?.data_type.startsWith('json') ?? false
}

function rename(table: string, column: string, value: unknown, counter: number): unknown {
  const id = `00000000-0000-4000-9000-${String(counter).padStart(12, '0')}`
  if (column === 'account_number') return `Z${counter.toString(36).toUpperCase().padStart(7, '0')}`
  if (column === 'correlation_id' || column === 'event_id') return id
  if (table === 'audit' && column === 'sequence') return 1_000_000_000 + counter
  if (column === 'key_hash') return Buffer.concat([Buffer.from(id), Buffer.alloc(32)]).subarray(4, 36)
  return value
}

async function tokenRow(house: House): Promise<Row> {
  const load = {
    port: house.port,
    path: '/identity/connect/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'client_id=alpha&client_secret=alpha-sandbox-secret&grant_type=client_credentials',
    connections: 16,
    seconds,
  }
  const results = []
  for (let round = 0; round < rounds; round++) results.push(checked(await runLoad(load)))
  results.sort((a, b) => a - b)
  const figure = results[Math.floor(results.length / 2)] ?? 0
  return {
    name: 'tokens',
    measured: perSecond(figure),
    floor: '',
    figure,
    target: '≥ 4,000/s',
    met: figure >= 4_000,
    note: 'ES256, one client, 16 connections; one process, in which signing, parsing HTTP and writing to sockets take 140 to 190 µs; the generator has the other core',
  }
}
