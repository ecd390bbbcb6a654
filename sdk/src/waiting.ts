/**
 * The times of retries: when a failed call is sent again, how long retries continue, and the wait before a retry,
 * which a signal can end.
 */

import { onAbort } from './on-abort.ts'
import { defaults } from './settings.ts'

export interface Patience {
  readonly retryDelayMs: number
  readonly retryDelayMsMax: number
}

/** The waits of the settings, or the defaults. */
export function patienceOf(
  settings: {
    readonly [K in keyof Patience]?: Patience[K] | undefined
  },
): Patience {
  return {
    retryDelayMs: settings.retryDelayMs ?? defaults.retryDelayMs,
    retryDelayMsMax: settings.retryDelayMsMax ?? defaults.retryDelayMsMax,
  }
}

/** The limits of the retries of a call. */
export interface RetryLimits {
  /** Most retries. */
  readonly retries: number
  /** Time after the start of the call in which retries begin. */
  readonly retryForMs: number
}

type GivenLimits = { readonly [K in keyof RetryLimits]?: number | undefined }

/**
 * The limits from the settings of the call, or otherwise from those of the client. Without any setting, only
 * the time is limited. If only a number of retries is set, only the number is limited.
 */
export function retryLimitsOf(ofCall: GivenLimits, ofClient: GivenLimits): RetryLimits {
  const retries = ofCall.retries ?? ofClient.retries
  const retryForMs = ofCall.retryForMs ?? (ofCall.retries === undefined ? ofClient.retryForMs : undefined)
  const whole = Number.POSITIVE_INFINITY
  return {
    retries: retries ?? whole,
    retryForMs: retryForMs ?? (retries === undefined ? defaults.retryForMs : whole),
  }
}

/**
 * The wait before retry `number` of a call that began `elapsedMs` ago; undefined if the limits are reached. The last
 * retry is sent when the time ends. If a Retry-After ends later, the call does not wait for it.
 */
export function nextRetry(
  limits: RetryLimits,
  number: number,
  elapsedMs: number,
  retryAfterMs: number | undefined,
  patience: Patience,
): number | undefined {
  const leftMs = limits.retryForMs - elapsedMs
  if (number > limits.retries || leftMs <= 0 || (retryAfterMs ?? 0) > leftMs) return undefined
  const delayMs = retryDelay(number, retryAfterMs, patience)
  return delayMs === undefined ? undefined : Math.min(delayMs, leftMs)
}

/** Retries after a response 500. A fault of the service can be temporary; if it is not, further retries do not help. */
export const faultRetriesMax = 2

/** The longest doubled wait, unless the first one is set longer, so that a recovered service is noticed soon. */
const doubledMsMax = 5_000

/**
 * The wait before retry `number` (from 1): doubled with each retry, limited, and randomized over its upper half so that
 * callers do not return at once. Never shorter than Retry-After. Undefined if Retry-After exceeds the longest wait.
 */
export function retryDelay(
  number: number,
  retryAfterMs: number | undefined,
  patience: Patience,
  chance: () => number = Math.random,
): number | undefined {
  const { retryDelayMs, retryDelayMsMax } = patience
  const doubled = Math.min(retryDelayMs * 2 ** (number - 1), Math.max(retryDelayMs, doubledMsMax))
  const ceiling = Math.min(retryDelayMsMax, doubled)
  const spread = ceiling * (0.5 + chance() / 2)
  if (retryAfterMs === undefined) return spread
  return retryAfterMs > retryDelayMsMax ? undefined : retryAfterMs + spread
}

/** The milliseconds of a Retry-After header, which holds seconds or an HTTP date. Undefined if absent or invalid. */
export function parseRetryAfter(header: string | null, now: Date = new Date()): number | undefined {
  if (header === null) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}

/** Waits. Rejects with the reason of the signal if it is aborted meanwhile. */
export async function wait(delayMs: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await orAborted(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, delayMs)
      }),
      signal,
    )
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Settles with the promise, or rejects with the reason of the signal if that comes first. The promise itself continues.
 */
export function orAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return promise
  if (signal.aborted) {
    promise.catch(() => undefined)
    return Promise.reject(signal.reason)
  }
  return new Promise<T>((resolve, reject) => {
    const ignore = onAbort(signal, () => reject(signal.reason))
    promise.then(resolve, reject).finally(ignore)
  })
}
