/**
 * Slows guessing down. The first few wrong tries cost nothing; then each wait is twice the one before. Counted by e-mail
 * and network address, so that a stranger cannot lock a person out from elsewhere; and by e-mail alone, much later, against
 * many addresses at once. Kept in the database: instances and restarts do not start anew. Unknown e-mails count alike.
 */
import type { Tx } from '../../database/transaction.ts'
import { addGuess, clearGuesses, readGuesses } from '../../store/sign-in.ts'

interface Allowance {
  readonly free: number
  readonly waitSecondsMax: number
}

const fromHere: Allowance = { free: 5, waitSecondsMax: 900 }
const fromAnywhere: Allowance = { free: 50, waitSecondsMax: 300 }
const rememberedMs = 86_400_000

const keysOf = (email: string, address: string): readonly [string, string] => {
  const folded = email.toLowerCase().slice(0, 100)
  return [`${folded} from ${address}`, folded]
}

const waitMs = (failures: number, { free, waitSecondsMax }: Allowance): number =>
  failures < free ? 0 : Math.min(waitSecondsMax, 2 ** (failures - free)) * 1_000

/** Seconds to wait before the next guess is looked at; 0 when it may be made, and then it is counted as if it were wrong. */
export const takeGuess = async (tx: Tx, email: string, address: string, now: Date): Promise<number> => {
  const keys = keysOf(email, address)
  const since = new Date(now.getTime() - rememberedMs)
  let waits = 0
  for (const [at, key] of keys.entries()) {
    const { failures, lastAt } = await readGuesses(tx, key, since)
    const until = lastAt.getTime() + waitMs(failures, at === 0 ? fromHere : fromAnywhere)
    if (failures > 0) waits = Math.max(waits, until - now.getTime())
  }
  if (waits > 0) return Math.ceil(waits / 1_000)
  for (const key of keys) addGuess(tx, key, now)
  return 0
}

/** The guess was right: nothing is held against the person from this address. */
export const forgetGuesses = (tx: Tx, email: string, address: string): void =>
  clearGuesses(tx, keysOf(email, address))
