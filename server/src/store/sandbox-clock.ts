/** The sandbox's clock, which all processes share, and the queued work that waits for its time. */
import { json, statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { holderPrefix } from './held-jobs.ts'

/** The setting from which the clock's time is computed. */
export interface ClockSetting {
  readonly offsetMs: number
  /** The time of the frozen clock; null while the clock runs. */
  readonly frozenAt: Date | null
}

/** A requested advance. It is stored, so that a caller who repeats the request gets the same result. */
export interface Advance {
  /** Client and idempotency key; empty if the caller gave no key. */
  readonly by: string
  readonly from: string
  readonly to: string
  /** Business days closed during the advance. */
  readonly closedDays: readonly string[]
  readonly ended: boolean
}

interface ClockRow {
  readonly offset_ms: bigint
  readonly frozen_at: string | null
  readonly advance: Advance | null
}

const insertClock = statement(
  'insert-sandbox-clock',
  'insert into clearing.sandbox_clock (one) values (true) on conflict do nothing',
)
const selectClock = statement<ClockRow>(
  'select-sandbox-clock',
  'select offset_ms, frozen_at, advance from clearing.sandbox_clock',
)
const lockClockRow = statement<ClockRow>(
  'lock-sandbox-clock',
  'select offset_ms, frozen_at, advance from clearing.sandbox_clock for update',
)
const updateClock = statement(
  'update-sandbox-clock',
  'update clearing.sandbox_clock set offset_ms = $1, frozen_at = $2, advance = $3::jsonb',
)
const announceClock = statement('announce-sandbox-clock', "select pg_notify('clearing_clock', '')")

/**
 * When the clock moves, work that waits for a moment becomes due at another wall-clock time. Failed work waits by the
 * wall clock.
 */
const retimeJobs = statement(
  'retime-jobs',
  `update graphile_worker._private_jobs set run_at = clearing.wall_time_of((payload::jsonb -> 'job' ->> 'notBefore')::timestamptz)
   where locked_at is null and attempts = 0 and payload::jsonb -> 'job' ->> 'notBefore' is not null`,
)
const wakeWorkers = statement(
  'wake-workers',
  `select pg_notify('jobs:insert', json_build_object('r', random(), 'count', count(*))::text)
   from graphile_worker._private_jobs where run_at <= clock_timestamp() and locked_at is null having count(*) > 0`,
)
const selectLastJob = statement<{ id: bigint | null }>(
  'select-last-job',
  'select max(id) as id from graphile_worker._private_jobs',
)
const countDue = statement<{ due: bigint }>(
  'count-due-jobs',
  `select count(*) as due from graphile_worker._private_jobs
   where run_at <= clock_timestamp() and attempts < max_attempts and not (id > $1 and coalesce(locked_by, '') like '${holderPrefix}%')`,
)
const selectNextDue = statement<{ due: string | null }>(
  'select-next-due-job',
  `select min((payload::jsonb -> 'job' ->> 'notBefore')::timestamptz) as due from graphile_worker._private_jobs
   where locked_at is null and attempts = 0 and (payload::jsonb -> 'job' ->> 'notBefore')::timestamptz > $1`,
)

export interface StoredClock extends ClockSetting {
  readonly advance: Advance | null
}

function parseClock(row: ClockRow | undefined): StoredClock {
  if (row === undefined) throw new Error('the clock of the sandbox has no row')
  return {
    offsetMs: Number(row.offset_ms),
    frozenAt: row.frozen_at === null ? null : new Date(row.frozen_at),
    advance: row.advance,
  }
}

const selectMoved = statement<{ moved: boolean }>(
  'select-clock-moved',
  'select offset_ms <> 0 or frozen_at is not null as moved from clearing.sandbox_clock',
)

/**
 * True if the database belongs to a sandbox whose clock was moved. Production does not start on it, because its work
 * would run at wrong times.
 */
export async function isSandboxClockMoved(tx: Tx): Promise<boolean> {
  return (await tx.row(selectMoved))?.moved === true
}

export function makeClock(tx: Tx): void {
  tx.later(insertClock)
}

/** Held by the process that advances the clock, in the key space of the locks of snapshots. */
const takeMoves = statement<{ taken: boolean }>(
  'take-moves-of-clock',
  `select pg_try_advisory_xact_lock(31, 3) as taken, set_config('idle_in_transaction_session_timeout', '0', true)`,
)

/** No other process advances the clock until this transaction ends. Returns false while another one does. */
export async function holdMoves(tx: Tx): Promise<boolean> {
  return (await tx.row(takeMoves))?.taken === true
}

export async function readClock(tx: Tx): Promise<StoredClock> {
  return parseClock(await tx.row(selectClock))
}

/** The clock, locked: no other transaction moves it until this one ends. */
export async function lockClock(tx: Tx): Promise<StoredClock> {
  return parseClock(await tx.row(lockClockRow))
}

/** Sets the clock, reschedules work that waits for a moment, and notifies every process. */
export function writeClock(tx: Tx, clock: StoredClock): void {
  tx.later(updateClock, [clock.offsetMs, clock.frozenAt, clock.advance && json(clock.advance)])
  tx.later(retimeJobs)
  tx.later(wakeWorkers)
  tx.later(announceClock)
}

/** The id of the job that was queued last. */
export async function readLastJob(tx: Tx): Promise<bigint> {
  return (await tx.row(selectLastJob))?.id ?? 0n
}

/**
 * The number of unfinished jobs whose time has come. Applications that came after a job are not counted: more of them
 * may come all the time.
 */
export async function countDueJobs(tx: Tx, after: bigint): Promise<number> {
  return Number((await tx.row(countDue, [after]))?.due ?? 0)
}

/** The time of the next waiting job after `now`. */
export async function readNextDue(tx: Tx, now: Date): Promise<Date | undefined> {
  const due = (await tx.row(selectNextDue, [now]))?.due
  return due ? new Date(due) : undefined
}
