/**
 * The floor of new-account: inserts copies of all rows that an opened account left in the database, its job
 * included. Each copy is one transaction and one message of prepared statements.
 */
import type pg from 'pg'
import type { Pool } from '../server/src/database/pool.ts'
import { roundTrip, type Step } from '../server/src/database/round-trip.ts'
import type { Statement } from '../server/src/database/statement.ts'

/** The tables with rows of an account, referenced tables first. */
const tablesOfAccount = [
  'account',
  'account_version',
  'party',
  'account_change',
  'account_review',
  'onboarding',
  'onboarding_transition',
  'renewal',
  'event_row',
  'audit',
]
/** The tables with one row for each call. */
const tablesOfCall = ['idempotency', 'request']

interface Insert {
  readonly statement: Statement<never>
  readonly table: string
  readonly row: Readonly<Record<string, string | null>>
}

/** The accounts inserted in a second, by callers at the same time. */
export async function insertAccounts(pool: Pool, callers: number, seconds: number): Promise<number> {
  const inserts = await sampleInserts(pool.pg)
  const startedMs = performance.now()
  const endMs = startedMs + seconds * 1_000
  let counter = Math.floor(Math.random() * 1e8)
  let done = 0
  const work = async () => {
    const client = await pool.acquire()
    try {
      while (performance.now() < endMs) {
        counter += 1
        const steps = inserts.map((insert, place) => stepOf(insert, counter * 100 + place))
        await roundTrip(pool, client, [control('begin'), ...steps, queueLater, control('commit')])
        done += 1
      }
    } finally {
      client.release()
    }
  }
  await Promise.all(Array.from({ length: callers }, work))
  const rate = done / ((performance.now() - startedMs) / 1_000)
  await pool.pg.query("delete from graphile_worker._private_jobs where run_at > now() + interval '12 hours'")
  return rate
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

/** The rows of the account that was opened last, read as texts. */
async function sampleInserts(database: pg.Pool): Promise<Insert[]> {
  const latest = await database.query(
    "select account_number from clearing.onboarding where current_state = 'CreationComplete' order by updated_at desc limit 1",
  )
  const account = `where account_number = '${latest.rows[0].account_number}'`
  const call = "where operation = 'new-account' limit 1"
  const ofAccount = tablesOfAccount.map((table) => insertsOf(database, table, account))
  const ofCall = tablesOfCall.map((table) => insertsOf(database, table, call))
  return (await Promise.all([...ofAccount, ...ofCall])).flat()
}

async function insertsOf(database: pg.Pool, table: string, which: string): Promise<Insert[]> {
  const columns = await database.query(
    `select column_name from information_schema.columns
     where table_schema = 'clearing' and table_name = $1 and is_identity = 'NO' and column_name <> 'transaction_id'`,
    [table],
  )
  const names = columns.rows.map((row) => row.column_name as string)
  const texts = names.map((name) => `"${name}"::text as "${name}"`).join(', ')
  const { rows } = await database.query(`select ${texts} from clearing.${table} ${which}`)
  if (rows.length === 0) throw new Error(`an opened account has no row in ${table}`)
  const places = names.map((_, index) => `$${index + 1}`).join(', ')
  const columnList = names.map((name) => `"${name}"`).join(', ')
  const text = `insert into clearing.${table} (${columnList}) values (${places})`
  return rows.map((row) => ({ statement: { name: `floor ${table}`, text }, table, row }))
}

function stepOf({ statement, table, row }: Insert, unique: number): Step {
  const values = Object.entries(row).map(([column, value]) => keyOf(table, column, unique) ?? value)
  return { kind: 'run', statement, values }
}

/** The value of a column of a key: all rows of an account have its number, other keys are unique. */
function keyOf(table: string, column: string, unique: number): string | undefined {
  const hex = unique.toString(16).padStart(12, '0')
  if (column === 'account_number')
    return `Z${Math.floor(unique / 100)
      .toString(36)
      .toUpperCase()
      .padStart(7, '0')}`
  if (['correlation_id', 'request_id'].includes(column)) return `00000000-0000-4000-9000-${hex}`
  // The id of a row with several events ends with 0.
  if (column === 'event_id') return `00000000-0000-4000-9000-${hex.slice(1)}0`
  if (column === 'key_hash') return `\\x${hex.padStart(64, '0')}`
  if (table === 'audit' && column === 'sequence') return String(1_000_000_000 + unique)
  return undefined
}
