/** Stored responses in the database, and the lock that serializes equal requests. */
import { createHash } from 'node:crypto'
import { limits } from '@clearing/protocol'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { digestRequest, matchesDigest } from '../encryption/digest.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import { open, seal } from '../encryption/seal.ts'
import { compress, readText } from './compressed.ts'
import { ofNoMovingFirm } from './moved-firms.ts'

/** The owner of a key: keys of other firms, clients and operations are different keys (Reading 1.12). */
export interface KeyScope {
  readonly firmId: string
  readonly clientId: string
  readonly operation: string
}

/** The key of a stored response: the caller's key, or the request itself. */
export interface AnswerKey {
  readonly scope: KeyScope
  readonly kind: 'key' | 'repeat'
  readonly hash: Buffer
}

/** A response as it is stored. */
export interface StoredResponse {
  readonly message: string | undefined
  /** The JSON text of `data`. */
  readonly data: string
  /** True when it contains personal numbers in full. Only tokens that may read such numbers get it. */
  readonly personal: boolean
}

const minuteMs = 60_000
const dayMs = 86_400_000
const keptMs = {
  key: limits.idempotencyKeptDays * dayMs,
  repeat: limits.repeatWindowMinutes * minuteMs,
} as const

export function keyOfCaller(scope: KeyScope, key: string): AnswerKey {
  return {
    scope,
    kind: 'key',
    hash: createHash('sha256').update(key).digest(),
  }
}

export function keyOfRequest(scope: KeyScope, digest: Buffer): AnswerKey {
  return {
    scope,
    kind: 'repeat',
    hash: digest,
  }
}

/** The digest of a request's canonical value and of its file. */
export function digestOf(keys: FirmKeys, scope: KeyScope, value: string, content: Uint8Array): Buffer {
  return digestRequest(keys, 'idempotency', scope.operation, value, content)
}

const tryLock = statement<{ free: boolean }>(
  'try-idempotency-lock',
  'select pg_catalog.pg_try_advisory_xact_lock($1) as free',
)
const find = statement<{ request_digest: Buffer; answer: Buffer; live: boolean }>(
  'find-stored-response',
  `select request_digest, answer, expires_at > $6 as live from clearing.idempotency
   where firm_id = $1 and client_id = $2 and operation = $3 and kind = $4 and key_hash = $5`,
)
const remove = statement(
  'remove-expired-response',
  `delete from clearing.idempotency
   where firm_id = $1 and client_id = $2 and operation = $3 and kind = $4 and key_hash = $5 and expires_at <= $6`,
)
const insert = statement(
  'store-response',
  `insert into clearing.idempotency
     (firm_id, client_id, operation, kind, key_hash, request_digest, answer, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)
const insertUnlessThere = statement('store-response-unless-there', `${insert.text} on conflict do nothing`)
const sweep = statement(
  'sweep-stored-responses',
  `delete from clearing.idempotency where ctid = any (array(
     select ctid from clearing.idempotency where expires_at <= $1 and ${ofNoMovingFirm} order by expires_at limit $2))
     and expires_at <= $1`,
)

/** The constraint that a second response under one key violates. */
export const storedOnce = 'idempotency_pkey'

function keyColumnsOf({ scope, kind, hash }: AnswerKey) {
  return [scope.firmId, scope.clientId, scope.operation, kind, hash]
}

function sealedColumnOf({ scope, kind, hash }: AnswerKey) {
  return {
    firm: scope.firmId,
    table: 'idempotency',
    column: 'answer',
    row: [scope.clientId, scope.operation, kind, hash.toString('hex')].join('\n'),
  }
}

/**
 * The key's name among all advisory locks of the database. Two keys with the same name only wait for each
 * other.
 */
export function lockOf(key: AnswerKey): bigint {
  return createHash('sha256').update(keyColumnsOf(key).join('\n')).digest().readBigInt64BE()
}

export type Found =
  | {
      readonly kind: 'answered'
      readonly answer: StoredResponse
      readonly isSame: (value: string, content: Uint8Array) => boolean
    }
  | { readonly kind: 'free' }
  /** The outcome when another transaction holds the key. */
  | { readonly kind: 'running' }

/** Looks for a stored response and takes the key's lock in one round trip. The lock ends with the transaction. */
export async function claimKey(tx: Tx, key: AnswerKey, keys: FirmKeys, now: Date): Promise<Found> {
  const columns = keyColumnsOf(key)
  const [lock, row] = await Promise.all([tx.row(tryLock, [lockOf(key)]), tx.row(find, [...columns, now])])
  if (row?.live) {
    const isSame = (value: string, content: Uint8Array) =>
      matchesDigest(keys, row.request_digest, 'idempotency', key.scope.operation, value, content)
    return { kind: 'answered', answer: await openResponse(tx, keys, key, row.answer), isSame }
  }
  if (lock?.free !== true) return { kind: 'running' }
  if (row !== undefined) tx.later(remove, [...columns, now])
  return { kind: 'free' }
}

interface RequestDone {
  readonly key: AnswerKey
  /** The digest of the request. */
  readonly digest: Buffer
  readonly now: Date
}

/**
 * Stores the response in the transaction of its effect. The transaction fails if a response is already
 * stored.
 */
export function storeResponse(tx: Tx, keys: FirmKeys, request: RequestDone, response: StoredResponse): void {
  const head = JSON.stringify({ message: response.message, personal: response.personal })
  tx.later(insert, rowOf(keys, request, compress(`${head}\n${response.data}`)))
}

/** The first characters of a row that refers to the row with the response by the hash of its key. */
const reference = 'key '

/**
 * Stores a reference to the response of a request that has a key. A repeat without the key then gets the same
 * response. An existing reference stays until it expires.
 */
export function storeReference(tx: Tx, keys: FirmKeys, request: RequestDone): void {
  const { key, digest, now } = request
  const repeat = { ...request, key: keyOfRequest(key.scope, digest) }
  tx.later(remove, [...keyColumnsOf(repeat.key), now])
  tx.later(insertUnlessThere, rowOf(keys, repeat, reference + key.hash.toString('hex')))
}

function rowOf(keys: FirmKeys, { key, digest, now }: RequestDone, content: string | Buffer) {
  const until = new Date(now.getTime() + keptMs[key.kind])
  return [...keyColumnsOf(key), digest, seal(keys, content, sealedColumnOf(key)), now, until]
}

async function openResponse(tx: Tx, keys: FirmKeys, key: AnswerKey, sealed: Buffer): Promise<StoredResponse> {
  const text = readText(open(keys, sealed, sealedColumnOf(key)))
  if (text.startsWith(reference)) {
    const named: AnswerKey = { ...key, kind: 'key', hash: Buffer.from(text.slice(reference.length), 'hex') }
    const row = await tx.row(find, [...keyColumnsOf(named), new Date(0)])
    if (row === undefined) throw new Error('a stored response names a key without a stored response')
    return openResponse(tx, keys, named, row.answer)
  }
  const end = text.indexOf('\n')
  const { message, personal } = JSON.parse(text.slice(0, end))
  return { message, personal, data: text.slice(end + 1) }
}

/** Removes at most `size` expired responses and returns how many it removed. In an operations transaction. */
export function sweepStoredResponses(tx: Tx, now: Date, size: number): Promise<number> {
  return tx.run(sweep, [now, size])
}
