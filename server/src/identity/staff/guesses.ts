/**
 * Slows password guessing. The first few wrong attempts cost nothing; after that each wait is twice the
 * previous one. Attempts are counted in three ways. By e-mail and network, so that a stranger elsewhere
 * cannot lock a person out. By e-mail alone, with a much higher limit, against guesses from many networks. By
 * network alone, against one password tried on many people. The counts are in the database, so that instances
 * share them and a restart keeps them. Unknown e-mails are counted in the same way. A text that is no e-mail address
 * counts for the network only: no person can have it.
 */
import { isIPv6 } from 'node:net'
import type { Tx } from '../../database/transaction.ts'
import {
  addGuess,
  type CounterKey,
  clearGuesses,
  lockGuesses,
  takeBackGuesses,
} from '../../store/counted-guesses.ts'

interface Allowance {
  readonly free: number
  readonly waitSecondsMax: number
}

const fromHere: Allowance = { free: 5, waitSecondsMax: 900 }
const fromAnywhere: Allowance = { free: 50, waitSecondsMax: 300 }
/** The limit for a network, which a whole office may share. */
const ofNetwork: Allowance = { free: 200, waitSecondsMax: 60 }

/** For IPv6 the first 64 bits: the owner of the network chooses the rest. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [head = '', tail = ''] = address.split('%')[0]?.split('::') ?? []
  const groups = head.split(':').filter((group) => group !== '')
  const after = tail.split(':').filter((group) => group !== '')
  const zeros = address.includes('::') ? new Array<string>(8 - groups.length - after.length).fill('0') : []
  return [...groups, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

function keysOfPerson(email: string, address: string): readonly [here: CounterKey, anywhere: CounterKey] {
  const folded = email.toLowerCase()
  return [
    ['Person in network', folded, networkOf(address)],
    ['Person', folded],
  ]
}
function keyOfNetwork(address: string): CounterKey {
  return ['Network', networkOf(address)]
}

function allowancesOf(email: string | undefined, address: string): [CounterKey, Allowance][] {
  const network: [CounterKey, Allowance] = [keyOfNetwork(address), ofNetwork]
  if (email === undefined) return [network]
  const [here, anywhere] = keysOfPerson(email, address)
  return [[here, fromHere], [anywhere, fromAnywhere], network]
}

function waitMs(failures: number, { free, waitSecondsMax }: Allowance): number {
  return failures < free ? 0 : Math.min(waitSecondsMax, 2 ** (failures - free)) * 1_000
}

/**
 * `email` is undefined if the text that was typed is no e-mail address. Returns the seconds to wait before the next
 * guess is checked. 0 allows the guess and counts it as wrong in advance. Guesses that are made at the same time are
 * counted one after the other.
 */
export async function takeGuess(
  tx: Tx,
  email: string | undefined,
  address: string,
  now: Date,
): Promise<number> {
  const keys = allowancesOf(email, address)
  let waits = 0
  for (const [key, allowance] of keys) {
    const { failures, lastAt } = await lockGuesses(tx, key, now)
    const until = lastAt.getTime() + waitMs(failures, allowance)
    if (failures > 0) waits = Math.max(waits, until - now.getTime())
  }
  if (waits > 0) return Math.ceil(waits / 1_000)
  for (const [key] of keys) addGuess(tx, key, now)
  return 0
}

/**
 * Called when the guesses were right. Clears the counts of the e-mail address, for this network and for all
 * networks, and subtracts these guesses from the network's count.
 */
export function forgetGuesses(tx: Tx, email: string, address: string, right = 1): void {
  clearGuesses(tx, keysOfPerson(email, address))
  takeBackGuesses(tx, keyOfNetwork(address), right)
}
