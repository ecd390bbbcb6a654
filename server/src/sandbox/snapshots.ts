/** Saves everything under a name and puts it back; the clock goes back with it. `reset` puts back what the first start made. */
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@clearing/protocol'
import { DatabaseUnavailable } from '../database/faults.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { writeAuditRow } from '../store/audit.ts'
import { marketDayOf, readBusinessDay } from '../store/business-day.ts'
import { lockClock, writeClock } from '../store/sandbox-clock.ts'
import {
  announceBegin,
  asOperations,
  asOwner,
  beginRestore,
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
import { type SandboxClock, settingAt, timeOf } from './sandbox-clock.ts'

/** What the first start made. No caller can give this name. */
export const firstSnapshot = 'first start'

/** Calls that are being answered may take this long to end before everything is put back. */
const drainMs = 10_000
/** One attempt waits this long for each lock, and the next one begins this much later. */
const lockWaitMs = 500
const lockPauseMs = 50

export interface SnapshotSettings {
  /** Of the owner, with time for statements that copy whole tables. */
  readonly owner: Pool
  readonly clock: SandboxClock
  readonly drain: CallDrain
  /** To be called when everything was put back: forgets what was held in memory. */
  readonly forget: () => void
  /** To be called then too, before the next call is let in: the audit chains went back. */
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

  constructor(settings: SnapshotSettings) {
    this.#settings = settings
  }

  list(): Promise<Snapshot[]> {
    return inTransaction(this.#settings.owner, { firm: null, readOnly: true }, readSnapshots)
  }

  /** Nothing when there are too many under other names. */
  save(name: string): Promise<Snapshot | undefined> {
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
        clock.take(put.setting)
        forget()
        await afterRestore()
        const durationMs = Math.round(performance.now() - startedMs)
        return { kind: 'restored', restored: { snapshot: put.snapshot, now: put.now, durationMs } }
      }),
    )
    return outcome ?? { kind: 'busy' }
  }

  /** Does the work while the other processes keep their doors shut (`RestoreWatch`); nothing when one of them is at it. */
  #alone<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { owner } = this.#settings
    return inTransaction(owner, { firm: null }, async (tx) => {
      if (!(await beginRestore(tx))) return undefined
      await inTransaction(owner, { firm: null, repeatable: true }, async (told) => announceBegin(told))
      return work()
    })
  }
}

/** Keeps what `reset` puts back: the state after the demonstration was loaded, or before anybody opened an account. */
export const keepFirstState = async (
  operations: Pool,
  snapshots: Snapshots,
  demonstrated: boolean,
): Promise<void> => {
  if (!demonstrated) {
    if ((await snapshots.list()).some(({ name }) => name === firstSnapshot)) return
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
 * Who is still inside another process waits for a table that is locked here, and may hold one that is needed here: each
 * attempt gives up soon, which lets them leave, and nobody comes after them.
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
  return { snapshot, setting, now }
}

/** Where the clock stood; of the first start the wall's time, as long as the business day is still the same. */
function timeToResumeAt(snapshot: Snapshot, wall: Date): Date {
  const stood = new Date(snapshot.clock_at)
  const asFresh = snapshot.name === firstSnapshot && marketDayOf(wall) === snapshot.business_date
  return asFresh && wall > stood ? wall : stood
}
