/**
 * Makes a request take effect once, however often it is sent (Reading 1.12, 3.6). The response of a writing
 * operation is stored in the transaction of its effect. It is sent again for the same key, or for an exact
 * repeat of new-account without a key. Of two equal requests at the same time, one waits for the other.
 */
import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type OperationName, type Rejection, reject } from '@clearing/protocol'
import { breaks } from '../../database/faults.ts'
import type { Tx } from '../../database/transaction.ts'
import type { FirmKeys } from '../../encryption/keyring.ts'
import {
  claimKey,
  digestOf,
  type KeyScope,
  keyOfCaller,
  keyOfRequest,
  type StoredResponse,
  storedOnce,
  storeReference,
  storeResponse,
} from '../../store/idempotency.ts'
import { within } from '../../within.ts'

/** Operations whose requests are recognized by their content when they have no key (Reading 3.6). */
const recognizedByContent: ReadonlySet<string> = new Set<OperationName>(['new-account', 'open-accounts'])

/**
 * These operations restore the whole state, stored responses included, and have the same result however often they are
 * sent.
 */
export const neverStored: ReadonlySet<string> = new Set<OperationName>(['restore-snapshot', 'reset'])

/**
 * The content by which two requests are compared: the canonical value, and the content of a file or of lines
 * once it is known.
 */
export interface RequestContent {
  readonly value: string
  readonly content: () => Promise<Uint8Array>
}

/** Identifies one request, so that it takes effect only once. */
export interface Once {
  readonly scope: KeyScope
  /** The caller's key. Without a key, the request identifies itself. */
  readonly key: string | undefined
  readonly request: RequestContent
}

/** The transaction of a call, with the keys of its firm and its time. */
export interface OpenCall {
  readonly tx: Tx
  readonly keys: FirmKeys
  readonly now: Date
}

export type OnceOutcome<T> =
  | { readonly kind: 'done'; readonly result: T }
  | { readonly kind: 'replayed'; readonly answer: StoredResponse }
  | { readonly kind: 'rejected'; readonly rejections: readonly Rejection[] }

const reusedKey = reject(
  'ERR.2008',
  '',
  'The idempotency key was used with another request. Use a new key for each request.',
)
export const duplicateRunning = reject('ERR.2009', '', 'The first request with this key is still running.')

/** Returns true when the response of this request is stored. */
export function isStored(operation: string, writes: boolean, key: string | undefined): boolean {
  return writes && !neverStored.has(operation) && (key !== undefined || recognizedByContent.has(operation))
}

/**
 * Runs in the transaction of the request. Returns the stored response, if there is one. Otherwise does the
 * work and stores its response. Returns undefined while another transaction works under the same key.
 */
export async function performOnce<T>(
  once: Once,
  { tx, keys, now }: OpenCall,
  work: () => Promise<{ result: T; answer: StoredResponse | undefined }>,
): Promise<OnceOutcome<T> | undefined> {
  const { scope, request } = once
  const byContent = recognizedByContent.has(scope.operation)
  const digest =
    byContent || once.key === undefined
      ? digestOf(keys, scope, request.value, await request.content())
      : undefined
  const key = once.key === undefined ? keyOfRequest(scope, digest as Buffer) : keyOfCaller(scope, once.key)
  const found = await claimKey(tx, key, keys, now)
  if (found.kind === 'running') return undefined
  if (found.kind === 'answered') {
    const same = once.key === undefined || found.isSame(request.value, await request.content())
    return same ? { kind: 'replayed', answer: found.answer } : { kind: 'rejected', rejections: [reusedKey] }
  }
  const { result, answer } = await work()
  if (answer !== undefined) {
    const own = digest ?? digestOf(keys, scope, request.value, await request.content())
    const done = { key, digest: own, now }
    storeResponse(tx, keys, done, answer)
    // The same submission must also be recognized when it is repeated without its key.
    if (byContent && once.key !== undefined) storeReference(tx, keys, done)
  }
  return { kind: 'done', result }
}

// Pause between two checks for a concurrent duplicate in another process.
const pauseMsMin = 20
const pauseMsMax = 200

/**
 * Queues equal requests of this process behind each other, so that a waiting request holds no connection. While a
 * concurrent duplicate runs in another process, tries again for at most `waitMs`. `attempt` resolves to undefined while
 * a concurrent duplicate runs.
 */
export class ConcurrentDuplicates {
  readonly #running = new Map<string, Promise<unknown>>()

  async wait<T>(
    once: Once,
    waitMs: number,
    attempt: () => Promise<T | undefined>,
  ): Promise<T | typeof duplicateRunning> {
    // A digest, because V8 keeps the keys of maps, here whole requests, until the next full collection.
    const name = hash('sha256', JSON.stringify([once.scope, once.key ?? once.request.value]), 'base64')
    const endMs = performance.now() + waitMs
    let pauseMs = pauseMsMin
    for (;;) {
      const duplicate = this.#running.get(name)
      if (duplicate !== undefined) {
        const leftMs = endMs - performance.now()
        if (leftMs <= 0 || !(await endsWithin(duplicate, leftMs))) return duplicateRunning
        continue
      }
      const outcome = await this.#lead(name, attempt)
      if (outcome !== undefined) return outcome
      const leftMs = endMs - performance.now()
      if (leftMs <= 0) return duplicateRunning
      await pause(Math.min(leftMs, pauseMs * (0.5 + Math.random() / 2)))
      pauseMs = Math.min(pauseMs * 2, pauseMsMax)
    }
  }

  async #lead<T>(name: string, attempt: () => Promise<T | undefined>): Promise<T | undefined> {
    const running = attempt()
    this.#running.set(name, running)
    try {
      return await running
    } catch (fault) {
      // A concurrent duplicate committed its response after this request had looked for it. The next attempt
      // finds the response.
      if (breaks(fault, storedOnce)) return undefined
      throw fault
    } finally {
      this.#running.delete(name)
    }
  }
}

/** Resolves to true when the promise settles in time. The caller of the promise itself handles its outcome. */
async function endsWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  return (await within(promise.then(settled, settled), timeoutMs)) ?? false
}

function settled() {
  return true
}
