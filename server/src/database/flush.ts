// Makes rows that leave the service survive a crash of the database. Transactions commit without waiting for
// the disk, so that they hold no lock while the log is flushed. A writer waits for the flush in the round
// trip of its COMMIT. A reader waits when it may have seen a commit that is not on disk yet. Each waits on
// the session that it used, because a session that still answers belongs to the server that has the commits.
// A writer waits for synchronous standbys too. A reader does not, unless a failover must never undo the rows
// that it reads. See decisions/093 and 112.
import { DatabaseUnavailable, statementFault } from './faults.ts'
import type { Client, Pool } from './pool.ts'
import { type Reply, RoundTripFailed, roundTrip, type Step } from './round-trip.ts'
import { awaitConfirmation, checkConfirmations, databaseOf } from './standby-waits.ts'
import { control } from './statement.ts'

const onDisk = `case when pg_catalog.pg_is_in_recovery() then false
  else pg_catalog.pg_current_wal_flush_lsn() >= pg_catalog.pg_current_wal_insert_lsn() end`
// The position on the disk of the primary does not show the position of the standby.
const onStandbys = `case when pg_catalog.current_setting('synchronous_standby_names') <> '' then false else ${onDisk} end`

/** A position that follows every commit that an earlier statement saw; null on a standby. */
const insertPosition = `case when pg_catalog.pg_is_in_recovery() then null
       else pg_catalog.pg_current_wal_insert_lsn()::text end`

function askFlushed(name: string, isFlushed: string): Step {
  const text = `select ${isFlushed} as flushed, ${insertPosition} as position`
  return { kind: 'run', statement: control(name, text), values: [] }
}
const isOnDisk = askFlushed('is-flushed', onDisk)
const isOnStandbys = askFlushed('is-confirmed', onStandbys)

/**
 * A step that returns whether every commit that earlier statements saw is on disk, and with `standbys` on
 * synchronous standbys.
 */
export function isFlushed(standbys: boolean): Step {
  return standbys ? isOnStandbys : isOnDisk
}

/** Returns true when the rows of a step must be on synchronous standbys before they leave the service. */
export function needsStandbys(steps: readonly Step[]): boolean {
  return steps.some((step) => step.kind !== 'fetch' && step.statement.confirmed === true)
}

/** A step that waits by committing an empty message: only a commit with a record in the log waits. */
function flush(name: string, isFlushed: string, setting: string): Step {
  const text = `select ${insertPosition} as position,
       case when pg_catalog.pg_is_in_recovery() then false when ${isFlushed} then true
       else ${setting}pg_catalog.pg_logical_emit_message(true, 'clearing', '') is not null end as flushed`
  return { kind: 'run', statement: control(name, text), values: [] }
}

/** Waits outside of a transaction until every earlier commit is on disk and on synchronous standbys. */
export const flushLog: Step = flush('flush-log', onStandbys, '')
const flushToDisk = flush(
  'flush-to-disk',
  onDisk,
  "pg_catalog.set_config('synchronous_commit', 'local', true) is not null and ",
)

/** For each session, the time since which it is known to live. */
const knownSinceMs = new WeakMap<Client, number>()

interface Flush {
  readonly sessionSinceMs: number
  readonly beganMs: number
  /** A position that follows every commit before the flush. */
  readonly position: string
}

/** The last flush of each database in this process. */
const lastFlushes = new Map<string, Flush>()

/** The greatest position of each database after a read of this process whose rows were on disk. */
const positionsRead = new Map<string, string>()

/** Records that the session lives now. Returns the time since which it is known to live. */
export function sight(client: Client): number {
  const sinceMs = knownSinceMs.get(client) ?? performance.now()
  knownSinceMs.set(client, sinceMs)
  return sinceMs
}

/** Records a successful flush of the session that began at `beganMs`. */
export function noteFlush(pool: Pool, client: Client, beganMs: number, reply: Reply | undefined): void {
  const row = reply?.rows[0] as { position: string | null } | undefined
  if (!row?.position) return
  // The responses of two flushes may arrive in the other order.
  const position = later(lastPosition(pool), orderly(row.position))
  lastFlushes.set(databaseOf(pool), { sessionSinceMs: sight(client), beganMs, position })
}

/**
 * The position of the last flush over the pools. A server that has replayed the log up to it has their
 * commits.
 */
export function lastPosition(...pools: Pool[]): string | undefined {
  return pools.flatMap((pool) => lastFlushes.get(databaseOf(pool))?.position ?? []).reduce(later, undefined)
}

/**
 * A position that covers every row that this process has written to or read from the databases of the pools. A server
 * that has replayed the log up to it has these rows.
 */
export function positionSeen(...pools: Pool[]): string | undefined {
  const read = pools.flatMap((pool) => positionsRead.get(databaseOf(pool)) ?? [])
  return read.reduce(later, lastPosition(...pools))
}

function later(one: string | undefined, other: string): string {
  return one !== undefined && one > other ? one : other
}

/** Renders a position of the log (`A/3F`) in 16 digits, so that positions compare as texts. */
export function orderly(position: string): string {
  return position
    .split('/')
    .map((half) => half.padStart(8, '0'))
    .join('')
}

/**
 * Waits until the rows that any session saw at `seenMs` are on disk. Returns at once when a flush has begun
 * since then, for example the flush of an access record. The session of the flush must be older than the
 * read. Otherwise another server may have replaced the one that was read. Throws DatabaseUnavailable when
 * this is not certain.
 */
export async function flushSince(pool: Pool, seenMs: number): Promise<void> {
  const last = lastFlushes.get(databaseOf(pool))
  if (last !== undefined && last.sessionSinceMs <= seenMs && seenMs <= last.beganMs) return
  const client = await pool.acquire()
  const sinceMs = sight(client)
  await flushSeen(pool, client)
  if (sinceMs > seenMs) throw new DatabaseUnavailable('lost', 'the session is newer than the read')
}

function saysFlushed(reply: Reply | undefined): boolean {
  return (reply?.rows[0] as { flushed: boolean } | undefined)?.flushed === true
}

/** Returns the response of `isFlushed`. If the rows are on disk, keeps the position that covers them. */
export function noteRead(pool: Pool, reply: Reply | undefined): boolean {
  if (reply === undefined || !saysFlushed(reply)) return false
  const { position } = reply.rows[0] as { position: string }
  const database = databaseOf(pool)
  positionsRead.set(database, later(positionsRead.get(database), orderly(position)))
  return true
}

interface FlushSettings {
  /** Steps that end the work of the session. */
  readonly before?: readonly Step[]
  /** Also waits for synchronous standbys. */
  readonly standbys?: boolean
  /** Waits for standbys although none has confirmed commits recently. */
  readonly probes?: boolean
}

/**
 * Waits until everything that the session has seen is on disk, and returns the connection. Throws DatabaseUnavailable
 * when it is not certain.
 */
export async function flushSeen(
  pool: Pool,
  client: Client,
  { before = [], standbys = false, probes = false }: FlushSettings = {},
): Promise<void> {
  const steps = [...before, standbys ? flushLog : flushToDisk]
  const flush = () => roundTrip(pool, client, steps)
  const unconfirmed = watchStandbys(client)
  const beganMs = performance.now()
  sight(client)
  try {
    const waits = standbys && !probes
    if (waits) checkConfirmations(pool)
    const replies = await (waits ? awaitConfirmation(pool, client, flush) : flush())
    if (!saysFlushed(replies.at(-1))) throw new DatabaseUnavailable('read-only', 'the server is a standby')
    if (unconfirmed()) throw new DatabaseUnavailable('silent', 'no standby confirmed the rows that were read')
    noteFlush(pool, client, beganMs, replies.at(-1))
    client.release(client.getTransactionStatus() !== 'I')
  } catch (error) {
    client.release(true)
    const fault = error instanceof RoundTripFailed ? statementFault(error.cause, 'flush-log') : error
    if (fault instanceof DatabaseUnavailable && fault.reason === 'read-only') pool.distrust()
    throw fault
  } finally {
    unconfirmed()
  }
}

/**
 * Watches for the notice that the wait for a standby was given up. The returned function stops watching and
 * returns whether the notice came.
 */
export function watchStandbys(client: Client): () => boolean {
  let came = false
  const onNotice = (notice: { routine?: string | undefined }) => {
    came ||= notice.routine === 'SyncRepWaitForLSN'
  }
  client.on('notice', onNotice)
  return () => {
    client.removeListener('notice', onNotice)
    return came
  }
}
