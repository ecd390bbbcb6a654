/**
 * Limits the requests a second of one client (Reading 8) with a token bucket. The bucket refills at the client's rate
 * and holds the requests of two seconds. Processes behind one port share the number of requests that they took
 * (`takeElsewhere`). Other instances count for themselves, so a client has its full rate at each. `clientsMax` bounds
 * the memory.
 */
import { limits } from '@clearing/protocol'

export interface RateState {
  readonly allowed: boolean
  readonly ratePerSecond: number
  readonly burst: number
  readonly remaining: number
  /** Time until the bucket is full, or, after a refusal, until one request fits. */
  readonly resetSeconds: number
}

interface Bucket {
  tokens: number
  atMs: number
}

const burstSeconds = limits.rateBurstRequests / limits.rateRequestsPerSecond

export class RateLimiter {
  readonly #buckets = new Map<string, Bucket>()
  readonly #clientsMax: number
  /** Called for each request that was taken. */
  onTaken: (clientId: string, ratePerSecond: number) => void = () => {}

  constructor(clientsMax = 10_000) {
    this.#clientsMax = clientsMax
  }

  /** Takes one request from the client's bucket. `nowMs` comes from a monotonic clock. */
  take(clientId: string, ratePerSecond: number, nowMs: number): RateState {
    const burst = ratePerSecond * burstSeconds
    const bucket = this.#refill(clientId, ratePerSecond, nowMs)
    const allowed = bucket.tokens >= 1
    if (allowed) {
      bucket.tokens -= 1
      this.onTaken(clientId, ratePerSecond)
    }
    const missing = allowed ? burst - bucket.tokens : 1 - bucket.tokens
    return {
      allowed,
      ratePerSecond,
      burst,
      remaining: Math.max(0, Math.floor(bucket.tokens)),
      resetSeconds: Math.max(1, Math.ceil(missing / ratePerSecond)),
    }
  }

  /**
   * Takes requests that other processes admitted, even if the bucket does not hold them. Over time a client
   * therefore has its rate once.
   */
  takeElsewhere(clientId: string, count: number, ratePerSecond: number, nowMs: number): void {
    this.#refill(clientId, ratePerSecond, nowMs).tokens -= count
  }

  #refill(clientId: string, ratePerSecond: number, nowMs: number): Bucket {
    const burst = ratePerSecond * burstSeconds
    const bucket = this.#bucketOf(clientId, burst, nowMs)
    const refilled = bucket.tokens + ((nowMs - bucket.atMs) / 1_000) * ratePerSecond
    bucket.tokens = Math.min(burst, refilled)
    bucket.atMs = nowMs
    return bucket
  }

  #bucketOf(clientId: string, burst: number, nowMs: number): Bucket {
    const known = this.#buckets.get(clientId)
    if (known !== undefined) return known
    if (this.#buckets.size >= this.#clientsMax) {
      const oldest = this.#buckets.keys().next().value
      if (oldest !== undefined) this.#buckets.delete(oldest)
    }
    const bucket = { tokens: burst, atMs: nowMs }
    this.#buckets.set(clientId, bucket)
    return bucket
  }
}

/**
 * Renders the headers `RateLimit` and `RateLimit-Policy` of the current IETF draft, and the three headers of its
 * earlier versions.
 */
export function renderRateHeaders(state: RateState): Record<string, string> {
  return {
    'ratelimit-policy': `"client";q=${state.burst};w=${burstSeconds}`,
    ratelimit: `"client";r=${state.remaining};t=${state.resetSeconds}`,
    'ratelimit-limit': `${state.burst}`,
    'ratelimit-remaining': `${state.remaining}`,
    'ratelimit-reset': `${state.resetSeconds}`,
  }
}

/** Makes the limiters of one name count together in the processes behind one port. */
export type ShareRates = (limit: string, limiter: RateLimiter) => void
