/**
 * Keeps the snapshot of firms, credentials and signing keys fresh. A change is known within milliseconds by NOTIFY, and
 * without it within 4 seconds, since no older snapshot is used: when the database is away for longer, nobody is admitted.
 */
import type { ChangeListener } from '../../database/change-listener.ts'
import { lookUpIdentityVersion } from '../../store/identity-version.ts'
import {
  type DirectorySnapshot,
  type DirectorySnapshotSettings,
  takeDirectorySnapshot,
} from './directory-snapshot.ts'

export const directoryTimes = {
  /** A snapshot confirmed so long ago is confirmed again in the background when it is used. */
  freshMs: 2_000,
  /** An older one is not used. With the time of a query this stays below `limits.disabledClientSecondsMax`. */
  ageMsMax: 4_000,
  /** After a change made here, every use asks first: longer than the change takes to be committed. */
  expectingMs: 3_000,
} as const

export interface Directory {
  /** The snapshot when it is young enough to be used without asking; most of the time it is. */
  known(): DirectorySnapshot | undefined
  /** A snapshot that is young enough. Throws DatabaseUnavailable when there is none. */
  current(): Promise<DirectorySnapshot>
  /** A snapshot confirmed after this call: shows all that was committed before it. */
  latest(): Promise<DirectorySnapshot>
  /** Called by whoever is about to change firms, credentials or keys here: uses soon after see the change at once. */
  expectChange(): void
}

export interface DirectorySettings extends DirectorySnapshotSettings {
  /** Without it, changes are seen by asking alone. */
  readonly listener?: ChangeListener
  /** Milliseconds of a clock that never goes back. */
  readonly clockMs?: () => number
}

export const openDirectory = (settings: DirectorySettings): Directory => {
  const clockMs = settings.clockMs ?? (() => performance.now())
  let snapshot: DirectorySnapshot | undefined
  let confirmedMs = Number.NEGATIVE_INFINITY
  let expectingUntilMs = Number.NEGATIVE_INFINITY
  let running: Promise<DirectorySnapshot> | undefined
  let next: Promise<DirectorySnapshot> | undefined

  const confirm = async (): Promise<DirectorySnapshot> => {
    const startedMs = clockMs()
    if (snapshot === undefined || (await lookUpIdentityVersion(settings.operations)) !== snapshot.version)
      snapshot = await takeDirectorySnapshot(settings, snapshot)
    confirmedMs = startedMs
    return snapshot
  }

  /** Whoever asks while one confirmation runs shares the next: the running one may have read before the change. */
  const latest = (): Promise<DirectorySnapshot> => {
    if (running === undefined) {
      running = confirm().finally(() => {
        running = undefined
      })
      return running
    }
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return latest()
      })
    return next
  }

  const known = (): DirectorySnapshot | undefined => {
    const nowMs = clockMs()
    const ageMs = nowMs - confirmedMs
    if (nowMs < expectingUntilMs || ageMs >= directoryTimes.ageMsMax) return undefined
    if (ageMs >= directoryTimes.freshMs && running === undefined) latest().catch(settings.onFault)
    return snapshot
  }

  settings.listener?.onChange(() => {
    latest().catch(settings.onFault)
  })

  return {
    known,
    latest,
    current: async () => known() ?? (await latest()),
    expectChange: () => {
      expectingUntilMs = clockMs() + directoryTimes.expectingMs
    },
  }
}
