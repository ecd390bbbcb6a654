/** How long to wait before a retry, and waiting that a signal can end. */

import { defaults } from './settings.ts'

export interface Patience {
  readonly retryDelayMs: number
  readonly retryDelayMsMax: number
}

/** The waits that the settings ask for, or the defaults. */
export const patienceOf = (settings: Partial<Patience>): Patience => ({
  retryDelayMs: settings.retryDelayMs ?? defaults.retryDelayMs,
  retryDelayMsMax: settings.retryDelayMsMax ?? defaults.retryDelayMsMax,
})

/**
 * The wait before retry `number` (from 1): doubling, bounded, spread over its upper half so that callers do not come back
 * together; never less than Retry-After. Undefined when the service asks for more patience than there is.
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

/** Milliseconds of a Retry-After header: seconds, or a date of HTTP. Undefined when absent or neither. */
export function parseRetryAfter(header: string | null, now: Date = new Date()): number | undefined {
  if (header === null) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}

/** Waits; rejects with the signal's reason when it is aborted meanwhile. */
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

/** The promise's outcome, or the signal's reason when that comes first; the promise itself goes on. */
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
