/** Sign-ins in progress: failed attempts, and the state of the OpenID provider. All rows expire. */
import { hash } from 'node:crypto'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

const countGuess = statement<{ failures: number; last_at: string }>(
  'count-sign-in-guess',
  `insert into clearing.sign_in_guess as kept (key_hash, failures, last_at) values ($1, 1, $2)
   on conflict (key_hash) do update set failures = kept.failures + 1, last_at = excluded.last_at
   returning failures, last_at`,
)
const selectGuesses = statement<{ failures: number; last_at: string }>(
  'select-sign-in-guess',
  'select failures, last_at from clearing.sign_in_guess where key_hash = $1 and last_at > $2',
)
/** Makes a row without failures if there is none, so that a row is locked in any case. */
const lockRow = statement<{ failures: number; last_at: string }>(
  'lock-sign-in-guess',
  `insert into clearing.sign_in_guess as kept (key_hash, failures, last_at) values ($1, 0, $2)
   on conflict (key_hash) do update set failures = kept.failures
   returning failures, last_at`,
)
const forgetGuesses = statement(
  'forget-sign-in-guesses',
  'delete from clearing.sign_in_guess where key_hash = any ($1)',
)

export interface Guesses {
  readonly failures: number
  readonly lastAt: Date
}

const takeBack = statement(
  'take-back-sign-in-guesses',
  'update clearing.sign_in_guess set failures = greatest(failures - $2, 0) where key_hash = $1',
)

function keyHash(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

export async function readGuesses(tx: Tx, key: string, since: Date): Promise<Guesses> {
  const row = await tx.row(selectGuesses, [keyHash(key), since])
  return { failures: row?.failures ?? 0, lastAt: new Date(row?.last_at ?? 0) }
}
/** Other transactions wait for the counter until this one ends. */
export async function lockGuesses(tx: Tx, key: string, at: Date): Promise<Guesses> {
  const row = await tx.row(lockRow, [keyHash(key), at])
  return { failures: row?.failures ?? 0, lastAt: new Date(row?.last_at ?? 0) }
}
/** Increments the counter and returns it. */
export async function countOnce(tx: Tx, key: string, at: Date): Promise<number> {
  return (await tx.row(countGuess, [keyHash(key), at]))?.failures ?? 0
}
export function addGuess(tx: Tx, key: string, at: Date): void {
  tx.later(countGuess, [keyHash(key), at])
}
export function clearGuesses(tx: Tx, keys: readonly string[]): void {
  tx.later(forgetGuesses, [keys.map(keyHash)])
}
export function takeBackGuesses(tx: Tx, key: string, count: number): void {
  tx.later(takeBack, [keyHash(key), count])
}

const upsertState = statement(
  'upsert-sign-in-state',
  `insert into clearing.sign_in_state (model, id_hash, payload, uid, grant_id, expires_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (model, id_hash) do update set payload = excluded.payload, uid = excluded.uid, grant_id = excluded.grant_id,
     expires_at = excluded.expires_at`,
)
const selectState = statement<{ payload: Record<string, unknown> }>(
  'select-sign-in-state',
  'select payload from clearing.sign_in_state where model = $1 and id_hash = $2 and expires_at > $3',
)
const selectStateByUid = statement<{ payload: Record<string, unknown> }>(
  'select-sign-in-state-by-uid',
  'select payload from clearing.sign_in_state where model = $1 and uid = $2 and expires_at > $3',
)
const consumeState = statement(
  'consume-sign-in-state',
  `update clearing.sign_in_state set payload = payload || jsonb_build_object('consumed', $3::bigint)
   where model = $1 and id_hash = $2`,
)
const deleteState = statement(
  'delete-sign-in-state',
  'delete from clearing.sign_in_state where model = $1 and id_hash = $2',
)
const deleteGrant = statement(
  'delete-sign-in-grant',
  'delete from clearing.sign_in_state where grant_id = $1',
)

export interface SignInState {
  readonly model: string
  readonly id: string
  readonly payload: Record<string, unknown>
  readonly expiresAt: Date
}

export function writeState(tx: Tx, { model, id, payload, expiresAt }: SignInState): Promise<number> {
  return tx.run(upsertState, [
    model,
    keyHash(id),
    payload,
    typeof payload.uid === 'string' ? payload.uid : null,
    typeof payload.grantId === 'string' ? payload.grantId : null,
    expiresAt,
  ])
}
export async function readState(
  tx: Tx,
  model: string,
  id: string,
  now: Date,
): Promise<Record<string, unknown> | undefined> {
  return (await tx.row(selectState, [model, keyHash(id), now]))?.payload
}
export async function readStateByUid(
  tx: Tx,
  model: string,
  uid: string,
  now: Date,
): Promise<Record<string, unknown> | undefined> {
  return (await tx.rows(selectStateByUid, [model, uid, now]))[0]?.payload
}
export function markStateUsed(tx: Tx, model: string, id: string, at: Date): Promise<number> {
  return tx.run(consumeState, [model, keyHash(id), Math.floor(at.getTime() / 1_000)])
}
export function removeState(tx: Tx, model: string, id: string): Promise<number> {
  return tx.run(deleteState, [model, keyHash(id)])
}
export function removeGrant(tx: Tx, grantId: string): Promise<number> {
  return tx.run(deleteGrant, [grantId])
}

const sweepings = [
  statement('sweep-staff-sessions', 'delete from clearing.staff_session where expires_at < $1'),
  statement('sweep-sign-in-state', 'delete from clearing.sign_in_state where expires_at < $1'),
  statement(
    'sweep-sign-in-guesses',
    "delete from clearing.sign_in_guess where last_at < $1::timestamptz - interval '1 day'",
  ),
]

/** Removes expired rows. */
export function sweepSignIn(tx: Tx, now: Date): void {
  for (const sweeping of sweepings) tx.later(sweeping, [now])
}
