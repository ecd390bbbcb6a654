/**
 * Keeps the picture of firms, credentials and signing keys fresh. A change is known within milliseconds by NOTIFY, and
 * without it within 4 seconds, since no older picture is used: when the database is away for longer, nobody is admitted.
 */
import type { ChangeListener } from '../../database/change-listener.ts'
import { lookUpIdentityVersion } from '../../store/identity-version.ts'
import { type Picture, type PictureSettings, takePicture } from './picture.ts'

export const directoryTimes = {
  /** A picture confirmed so long ago is confirmed again in the background when it is used. */
  freshMs: 2_000,
  /** An older one is not used. With the time of a query this stays below `limits.disabledClientSecondsMax`. */
  ageMsMax: 4_000,
  /** After a change made here, every use asks first: longer than the change takes to be committed. */
  expectingMs: 3_000,
} as const

export interface Directory {
  /** The picture when it is young enough to be used without asking; most of the time it is. */
  known(): Picture | undefined
  /** A picture that is young enough. Throws DatabaseUnavailable when there is none. */
  current(): Promise<Picture>
  /** A picture confirmed after this call: shows all that was committed before it. */
  latest(): Promise<Picture>
  /** Called by whoever is about to change firms, credentials or keys here: uses soon after see the change at once. */
  expectChange(): void
}

export interface DirectorySettings extends PictureSettings {
  /** Without it, changes are seen by asking alone. */
  readonly listener?: ChangeListener
  /** Milliseconds of a clock that never goes back. */
  readonly clockMs?: () => number
}

export const openDirectory = (settings: DirectorySettings): Directory => {
  const clockMs = settings.clockMs ?? (() => performance.now())
  let picture: Picture | undefined
  let confirmedMs = Number.NEGATIVE_INFINITY
  let expectingUntilMs = Number.NEGATIVE_INFINITY
  let running: Promise<Picture> | undefined
  let next: Promise<Picture> | undefined

  const confirm = async (): Promise<Picture> => {
    const startedMs = clockMs()
    if (picture === undefined || (await lookUpIdentityVersion(settings.operations)) !== picture.version)
      picture = await takePicture(settings, picture)
    confirmedMs = startedMs
    return picture
  }

  /** Whoever asks while one confirmation runs shares the next: the running one may have read before the change. */
  const latest = (): Promise<Picture> => {
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

  const known = (): Picture | undefined => {
    const nowMs = clockMs()
    const ageMs = nowMs - confirmedMs
    if (nowMs < expectingUntilMs || ageMs >= directoryTimes.ageMsMax) return undefined
    if (ageMs >= directoryTimes.freshMs && running === undefined) latest().catch(settings.onFault)
    return picture
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
