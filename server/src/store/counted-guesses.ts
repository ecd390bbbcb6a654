/**
 * Counters of failed attempts, such as wrong passwords of a person. They expire. A key is a list that begins with what
 * is counted, so that no text that a stranger types makes the key of another counter.
 */
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

/**
 * What is counted begins with a capital letter: 0.1.0 counts by the typed e-mail address in lower case in the same
 * table, and may serve beside this version.
 */
export type CounterKey = readonly [
  counted: 'Person in network' | 'Person' | 'Network' | 'Refused sign-in' | 'Refused number',
  ...of: string[],
]

export interface Guesses {
  readonly failures: number
  readonly lastAt: Date
}

const takeBack = statement(
  'take-back-sign-in-guesses',
  'update clearing.sign_in_guess set failures = greatest(failures - $2, 0) where key_hash = $1',
)

/** Keys and ids are stored as their hashes. */
export function keyHash(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}
function hashOfCounter(key: CounterKey): Buffer {
  return keyHash(JSON.stringify(key))
}

export async function readGuesses(tx: Tx, key: CounterKey, since: Date): Promise<Guesses> {
  const row = await tx.row(selectGuesses, [hashOfCounter(key), since])
  return { failures: row?.failures ?? 0, lastAt: new Date(row?.last_at ?? 0) }
}
/** Other transactions wait for the counter until this one ends. */
export async function lockGuesses(tx: Tx, key: CounterKey, at: Date): Promise<Guesses> {
  const row = await tx.row(lockRow, [hashOfCounter(key), at])
  return { failures: row?.failures ?? 0, lastAt: new Date(row?.last_at ?? 0) }
}
/** Increments the counter and returns it. */
export async function countOnce(tx: Tx, key: CounterKey, at: Date): Promise<number> {
  return (await tx.row(countGuess, [hashOfCounter(key), at]))?.failures ?? 0
}
export function addGuess(tx: Tx, key: CounterKey, at: Date): void {
  tx.later(countGuess, [hashOfCounter(key), at])
}
export function clearGuesses(tx: Tx, keys: readonly CounterKey[]): void {
  tx.later(forgetGuesses, [keys.map(hashOfCounter)])
}
export function takeBackGuesses(tx: Tx, key: CounterKey, count: number): void {
  tx.later(takeBack, [hashOfCounter(key), count])
}
