/**
 * Saves the whole state under a name and restores it, the clock included. `reset` restores the state of the first
 * start.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@clearing/protocol'
import { DatabaseUnavailable } from '../database/faults.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { writeAuditRow } from '../store/audit.ts'
import { readBusinessDay } from '../store/business-day.ts'
import { notifyOfRestore } from '../store/restored-log.ts'
import { lockClock, writeClock } from '../store/sandbox-clock.ts'
import {
  announceBegin,
  asOperations,
  asOwner,
  beginRestore,
  beginSave,
  copyState,
  hasOtherAccounts,
  readSchemaVersion,
  readSnapshot,
  readSnapshots,
  replaceState,
  type Snapshot,
  waitForLocksAtMost,
} from '../store/snapshots.ts'
import type { CallDrain } from './call-drain.ts'
import { demonstrationAccounts } from './demonstration-accounts.ts'
import { firstDayAt } from './first-day.ts'
import { type SandboxClock, settingAt, timeOf } from './sandbox-clock.ts'

/** The state after the first start. No caller can give this name. */
export const firstSnapshot = 'first start'

/** The longest wait for running calls before a restore. */
const drainMs = 10_000
/** The wait for each lock in an attempt, and the pause before the next attempt. */
const lockWaitMs = 500
const lockPauseMs = 50

export interface SnapshotSettings {
  /** The owner's pool, with time for statements that copy whole tables. */
  readonly owner: Pool
  readonly clock: SandboxClock
  readonly drain: CallDrain
  /** Called after the restore: clears the state in memory. */
  readonly forget: () => void
  /**
   * Called after the restore and before the next call, because the audit chains were restored to an earlier
   * state.
   */
  readonly afterRestore: () => Promise<void>
}

export interface Acting {
  readonly firmId: string
  readonly clientId: string
  readonly traceId: string
  readonly operation: string
}

export interface Restored {
  readonly snapshot: Snapshot
  readonly now: Date
  readonly durationMs: number
}

export type RestoreOutcome =
  | { readonly kind: 'restored'; readonly restored: Restored }
  | { readonly kind: 'absent' | 'older schema' | 'busy' }

export class Snapshots {
  readonly #settings: SnapshotSettings
  #saving: Promise<unknown> = Promise.resolve()

  constructor(settings: SnapshotSettings) {
    this.#settings = settings
  }

  /** The snapshots that callers saved. */
  async list(): Promise<Snapshot[]> {
    return (await this.#listAll()).filter(({ name }) => name !== firstSnapshot)
  }

  async hasFirst(): Promise<boolean> {
    return (await this.#listAll()).some(({ name }) => name === firstSnapshot)
  }

  #listAll(): Promise<Snapshot[]> {
    return inTransaction(this.#settings.owner, { firm: null, readOnly: true }, readSnapshots)
  }

  /** Returns undefined when there are too many snapshots of other names. Saves run one after another. */
  save(name: string): Promise<Snapshot | undefined> {
    const saved = this.#saving.then(() =>
      // The lock has its own transaction, because the copying one sees the state of its beginning.
      inTransaction(this.#settings.owner, { firm: null }, async (tx) => {
        await beginSave(tx)
        return this.#copy(name)
      }),
    )
    this.#saving = saved.catch(() => {})
    return saved
  }

  #copy(name: string): Promise<Snapshot | undefined> {
    return inTransaction(
      this.#settings.owner,
      { firm: null, isolation: 'repeatable read', repeatable: true },
      async (tx) => {
        const others = (await readSnapshots(tx)).filter((one) => one.name !== name)
        if (others.length > limits.sandboxSnapshotsMax) return undefined
        const takenAt = new Date()
        const clock = await lockClock(tx)
        const clockAt = timeOf(clock, takenAt.getTime())
        const businessDate = await openDay(tx, clockAt)
        await copyState(tx, { name, takenAt, clockAt, clockFrozen: clock.frozenAt !== null, businessDate })
        return readSnapshot(tx, name)
      },
    )
  }

  async restore(name: string, acting: Acting): Promise<RestoreOutcome> {
    const { drain, owner, clock, forget, afterRestore } = this.#settings
    const startedMs = performance.now()
    const outcome = await drain.runDrained(drainMs, () =>
      this.#alone(async (): Promise<RestoreOutcome> => {
        const put = await putBackPatiently(owner, name, acting)
        if (typeof put === 'string') return { kind: put }
        await clock.take(put.setting)
        forget()
        await afterRestore()
        const durationMs = Math.round(performance.now() - startedMs)
        return { kind: 'restored', restored: { snapshot: put.snapshot, now: put.now, durationMs } }
      }),
    )
    return outcome ?? { kind: 'busy' }
  }

  /**
   * Does the work while other processes refuse calls (`RestoreWatch`). Returns undefined when another process restores
   * already.
   */
  #alone<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { owner } = this.#settings
    return inTransaction(owner, { firm: null }, async (tx) => {
      if (!(await beginRestore(tx))) return undefined
      await inTransaction(owner, { firm: null, repeatable: true }, async (announcing) =>
        announceBegin(announcing),
      )
      return work()
    })
  }
}

/**
 * Saves the state that `reset` restores: after the demonstration was loaded, or before the first account was opened.
 */
export async function keepFirstState(
  operations: Pool,
  snapshots: Snapshots,
  demonstrated: boolean,
): Promise<void> {
  if (!demonstrated) {
    if (await snapshots.hasFirst()) return
    const own = demonstrationAccounts.map(({ accountNumber }) => accountNumber)
    if (await hasOtherAccounts(operations, own)) return
  }
  await snapshots.save(firstSnapshot)
}

async function openDay(tx: Tx, now: Date): Promise<string> {
  await asOperations(tx)
  const day = await readBusinessDay(tx, now)
  await asOwner(tx)
  return day
}

/**
 * A running call of another process may wait for a table that is locked here while it holds a table that is
 * needed here. Each attempt therefore gives up soon, so that such calls can end. New calls are refused in the
 * meantime.
 */
async function putBackPatiently(owner: Pool, name: string, acting: Acting) {
  const endMs = performance.now() + drainMs
  for (;;) {
    try {
      return await inTransaction(owner, { firm: null }, (tx) => {
        waitForLocksAtMost(tx, lockWaitMs)
        return putBack(tx, name, acting)
      })
    } catch (fault) {
      if (!(fault instanceof DatabaseUnavailable)) throw fault
      if (fault.reason !== 'busy' && fault.reason !== 'contended') throw fault
      if (performance.now() > endMs) return 'busy'
      await pause(lockPauseMs)
    }
  }
}

async function putBack(tx: Tx, name: string, acting: Acting) {
  const snapshot = await readSnapshot(tx, name)
  if (snapshot === undefined) return 'absent'
  if (snapshot.schema_version !== (await readSchemaVersion(tx))) return 'older schema'
  await lockClock(tx)
  await replaceState(tx, snapshot)
  const wall = new Date()
  const now = timeToResumeAt(snapshot, wall)
  const setting = settingAt(now, snapshot.clock_frozen, wall.getTime())
  writeClock(tx, { ...setting, advance: null })
  await asOperations(tx)
  const { firmId, clientId, traceId, operation } = acting
  writeAuditRow(tx, {
    firmId,
    at: now,
    actor: clientId,
    action: operation,
    target: name,
    traceId,
    detail: { name, takenOn: new Date(snapshot.taken_at).toISOString() },
  })
  await notifyOfRestore(tx, { at: now, traceId })
  return { snapshot, setting, now }
}

/**
 * Returns the clock's time in the snapshot. For the first start it is the wall clock's time, while the business day is
 * still the same.
 */
function timeToResumeAt(snapshot: Snapshot, wall: Date): Date {
  const stood = new Date(snapshot.clock_at)
  const asFresh = snapshot.name === firstSnapshot && firstDayAt(wall) === snapshot.business_date
  return asFresh && wall > stood ? wall : stood
}
