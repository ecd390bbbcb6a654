/** The wait before a retry, which a signal can end. */

import { defaults } from './settings.ts'

export interface Patience {
  readonly retryDelayMs: number
  readonly retryDelayMsMax: number
}

/** The waits of the settings, or the defaults. */
export function patienceOf(settings: Partial<Patience>): Patience {
  return {
    retryDelayMs: settings.retryDelayMs ?? defaults.retryDelayMs,
    retryDelayMsMax: settings.retryDelayMsMax ?? defaults.retryDelayMsMax,
  }
}

/**
 * The wait before retry `number` (from 1): doubled with each retry, limited, and randomized over its upper half so that callers do
 * not return at once. Never shorter than Retry-After. Undefined if Retry-After exceeds the longest wait.
 */
export function retryDelay(
  number: number,
  retryAfterMs: number | undefined,
  patience: Patience,
  chance: () => number = Math.random,
): number | undefined {
  const { retryDelayMs, retryDelayMsMax } = patience
  const ceiling = Math.min(retryDelayMsMax, retryDelayMs * 2 ** (number - 1))
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

/** Settles with the promise, or rejects with the reason of the signal if that comes first. The promise itself continues. */
export function orAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return promise
  if (signal.aborted) {
    promise.catch(() => undefined)
    return Promise.reject(signal.reason)
  }
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
