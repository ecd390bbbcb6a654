/**
 * Counts failed authentications per client and address, and per address, by the minute. Only failures are slowed. A
 * right secret is never refused, so that an attacker cannot lock a client out, even from the same address.
 */
import { limits } from '@clearing/protocol'
import { RecentMap } from '../recent-map.ts'

export interface FailureThrottle {
  /** Counts a failure. Returns the seconds to wait after too many failures, otherwise undefined. */
  fail(clientId: string, address: string): number | undefined
  /** Returns true when the next failure would exceed the limit; then the service spends no work on the proof. */
  exhausted(clientId: string, address: string): boolean
}

const windowMs = 60_000
/** One address may carry many clients (a proxy), so it is allowed more. */
const addressFactor = 10
const countersMax = 50_000

interface Counter {
  count: number
  readonly endsMs: number
}

export function createFailureThrottle(
  settings: { failuresMax?: number; clockMs?: () => number } = {},
): FailureThrottle {
  const failuresMax = settings.failuresMax ?? limits.tokenFailuresPerMinuteMax
  const clockMs = settings.clockMs ?? (() => performance.now())
  const counters = new RecentMap<string, Counter>(countersMax)

  const counterOf = (key: string, nowMs: number): Counter => {
    const known = counters.get(key)
    if (known !== undefined && known.endsMs > nowMs) return known
    const fresh = { count: 0, endsMs: nowMs + windowMs }
    counters.set(key, fresh)
    return fresh
  }
  /** A claimed client id may have any length, so it is shortened. */
  const keyOf = (clientId: string, address: string) => `${address} ${clientId.slice(0, 65)}`

  return {
    fail(clientId, address) {
      const nowMs = clockMs()
      const pair = counterOf(keyOf(clientId, address), nowMs)
      const all = counterOf(address, nowMs)
      pair.count++
      all.count++
      let endsMs = Number.NEGATIVE_INFINITY
      if (pair.count > failuresMax) endsMs = pair.endsMs
      if (all.count > failuresMax * addressFactor) endsMs = Math.max(endsMs, all.endsMs)
      return endsMs > nowMs ? Math.ceil((endsMs - nowMs) / 1000) : undefined
    },
    exhausted(clientId, address) {
      const nowMs = clockMs()
      const pair = counters.get(keyOf(clientId, address))
      const all = counters.get(address)
      return (
        (pair !== undefined && pair.endsMs > nowMs && pair.count >= failuresMax) ||
        (all !== undefined && all.endsMs > nowMs && all.count >= failuresMax * addressFactor)
      )
    },
  }
}
