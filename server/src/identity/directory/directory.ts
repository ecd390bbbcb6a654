/**
 * Keeps the snapshot of firms, credentials and signing keys current. NOTIFY announces a change within
 * milliseconds. Without a notification a change takes effect within 4 seconds, because older snapshots are
 * not used. When the database is unavailable for longer, no client is admitted.
 */
import type { ChangeListener } from '../../database/change-listener.ts'
import { lookUpIdentityVersion } from '../../store/identity-version.ts'
import {
  type DirectorySnapshot,
  type DirectorySnapshotSettings,
  takeDirectorySnapshot,
} from './directory-snapshot.ts'

export const directoryTimes = {
  /** The age after which the next use of a snapshot confirms it in the background. */
  freshMs: 2_000,
  /**
   * The age after which a snapshot is not used. Together with the time of a query, this stays below
   * `limits.disabledClientSecondsMax`.
   */
  ageMsMax: 4_000,
  /**
   * For this time after a change in this process, every use confirms the snapshot first. Longer than a commit takes.
   */
  expectingMs: 3_000,
} as const

export interface Directory {
  /** Returns the snapshot if it is recent enough to be used without a query, as is usual. */
  known(): DirectorySnapshot | undefined
  /** Returns a snapshot that is recent enough. Throws DatabaseUnavailable when there is none. */
  current(): Promise<DirectorySnapshot>
  /** Returns a snapshot that was confirmed after this call, with every change that was committed before it. */
  latest(): Promise<DirectorySnapshot>
  /** Called before this process changes firms, credentials or keys: later uses see the change at once. */
  expectChange(): void
}

export interface DirectorySettings extends DirectorySnapshotSettings {
  /** Without a listener, changes are found by polling alone. */
  readonly listener?: ChangeListener
  /** Milliseconds of a monotonic clock. */
  readonly clockMs?: () => number
  /** Called with the time of the database's clock each time the snapshot is confirmed. */
  readonly onDatabaseTime?: ((databaseMs: number) => void) | undefined
}

export function openDirectory(settings: DirectorySettings): Directory {
  const clockMs = settings.clockMs ?? (() => performance.now())
  let snapshot: DirectorySnapshot | undefined
  let confirmedMs = Number.NEGATIVE_INFINITY
  let expectingUntilMs = Number.NEGATIVE_INFINITY
  let running: Promise<DirectorySnapshot> | undefined
  let next: Promise<DirectorySnapshot> | undefined

  const confirm = async (): Promise<DirectorySnapshot> => {
    const startedMs = clockMs()
    const { version, databaseMs } = await lookUpIdentityVersion(settings.operations)
    settings.onDatabaseTime?.(databaseMs)
    if (snapshot?.version !== version) snapshot = await takeDirectorySnapshot(settings, snapshot)
    confirmedMs = startedMs
    return snapshot
  }

  /**
   * Callers during a confirmation share the next one, because the running one may have read before the
   * change.
   */
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
