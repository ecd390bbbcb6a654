/**
 * Verifies the seals: the signatures and their keys, the chain from day to day, and the digests of entries,
 * balances, lines and facts, computed again from the tables. Current holdings must equal the sealed ones if
 * no line came since. Days that are sealed by firm are computed again for each firm, older days for all
 * accounts together.
 */

import { isOwnSealKey } from '../audit/seal-key.ts'
import type { Tx } from '../database/transaction.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import type { AccountRange } from '../store/business-day.ts'
import { readDaysOfFirmSeals } from '../store/firm-seals.ts'
import { digestRange, type PortionDigest } from '../store/range-digests.ts'
import { digestFactsOf, readMovedFacts } from '../store/sealed-facts.ts'
import {
  type DaySeal,
  readDaySeals,
  readMovedBalances,
  readPortionDigests,
  readSealKeys,
  readUnsealedDays,
} from '../store/seals.ts'
import { digestOfDay, isSignedBy } from './seal.ts'
import { type FirmSeals, rangesWithRest, readFirmSealsOf, verifyFirmsOfDay } from './verify-firm-seals.ts'

/** The differences. When only a range of accounts is known, the reason names its accounts. */
export interface SealBreak {
  readonly kind: 'Seal'
  readonly closeDate: string
  readonly accountNumber: string
  readonly secNo: string
  readonly reason: string
}

export interface SealVerification {
  readonly seals: number
  readonly breaks: readonly SealBreak[]
  /** The day until which seals were verified if days remain; otherwise empty. */
  readonly next: string
}

/** Maximum number of differences reported for one range of accounts. */
const differencesMax = 100

/** The part of the seals to verify. */
export interface SealPart {
  /** The day up to which they were verified. */
  readonly after?: string
  /** The value of `performance.now()` after which no further day is begun. */
  readonly untilMs?: number
  /**
   * The days whose digests are computed again. Absent: all days. Signatures and the chain are verified for every day.
   */
  readonly days?: ReadonlySet<string>
}

/** Runs with the role of operations. */
export async function verifySeals(
  tx: Tx,
  masterKeys: MasterKeys,
  { after = '', untilMs = Number.POSITIVE_INFINITY, days }: SealPart = {},
): Promise<SealVerification> {
  const seals = await readDaySeals(tx)
  const keys = new Map((await readSealKeys(tx)).map((key) => [key.keyId, key]))
  const own = new Map<string, boolean>()
  for (const key of keys.values()) own.set(key.keyId, await isOwnSealKey(masterKeys, key))
  const breaks: SealBreak[] = []
  const tell = (closeDate: string, reason: string, accountNumber = '', secNo = '') =>
    breaks.push({ kind: 'Seal', closeDate, accountNumber, secNo, reason })
  const ofFirms = await readFirmSealsOf(tx, masterKeys, keys)
  if (after === '') {
    for (const day of await readUnsealedDays(tx)) tell(day, `The seal of ${day} is missing.`)
    for (const { closeDate, reason } of ofFirms.firms.breaks) tell(closeDate, reason)
    const sealed = new Set(seals.map(({ close_date }) => close_date))
    for (const day of await readDaysOfFirmSeals(tx)) {
      if (sealed.has(day) || days?.has(day) === false) continue
      for (const reason of await verifyFirmsOfDay(tx, ofFirms, day, undefined)) tell(day, reason)
    }
  }
  for (const [index, seal] of seals.entries()) {
    const day = seal.close_date
    if (day <= after) continue
    const previous = seals[index - 1]?.digest ?? Buffer.alloc(0)
    if (!seal.previous_digest.equals(previous))
      tell(day, `The seal of ${day} does not continue the seal before it.`)
    if (!isSignedBy(seal, keys.get(seal.key_id)))
      tell(day, `The signature of the seal of ${day} is not its key's.`)
    if (own.get(seal.key_id) === false)
      tell(
        day,
        `The key of the seal of ${day} does not open under a master key that is held: its owner is unknown.`,
      )
    if (days?.has(day) !== false)
      for (const reason of await differencesOf(tx, seal, ofFirms)) tell(day, reason)
    if (performance.now() > untilMs && index < seals.length - 1)
      return { seals: seals.length, breaks, next: day }
  }
  const elsewhere = [...ofFirms.firms.elsewhere]
  const last = seals.at(-1)
  for (const range of last === undefined ? [] : rangesWithRest(last.portions)) {
    for (const moved of await readMovedBalances(tx, range, differencesMax, elsewhere)) {
      const { account_number: accountNumber, asset } = moved
      const reason = `${asset} differs from the seal of ${last?.close_date}, and no line came since.`
      tell(last?.close_date ?? '', reason, accountNumber, /^\d+$/.test(asset) ? asset : '')
    }
  }
  const moved = await readMovedFacts(tx, differencesMax, elsewhere)
  for (const secNo of moved.secNos) {
    tell('', `Security ${secNo} differs from the last load of its facts.`, '', secNo)
  }
  for (const accountNumber of moved.accountNumbers) {
    tell('', `The terms of account ${accountNumber} differ from the last load.`, accountNumber)
  }
  return { seals: seals.length, breaks, next: '' }
}

async function differencesOf(
  tx: Tx,
  seal: DaySeal & { readonly portions: readonly string[] },
  ofFirms: FirmSeals,
): Promise<string[]> {
  const day = seal.close_date
  const kept = await readPortionDigests(tx, day)
  if (!digestOfDay(day, seal.previous_digest, kept, seal).equals(seal.digest)) {
    return [`The digests of ${day} are not those that were sealed.`]
  }
  const reasons = ofFirms.days.has(day) ? [] : await differencesOfRanges(tx, seal, kept)
  return [...reasons, ...(await verifyFirmsOfDay(tx, ofFirms, day, seal))]
}

async function differencesOfRanges(
  tx: Tx,
  seal: DaySeal & { readonly portions: readonly string[] },
  kept: readonly PortionDigest[],
): Promise<string[]> {
  const day = seal.close_date
  const reasons: string[] = []
  if (seal.facts_digest !== null) {
    const { every } = await digestFactsOf(tx, day)
    if (!every.facts_digest.equals(seal.facts_digest))
      reasons.push(`Facts that ${day} knew differ from the seal.`)
  }
  for (const [index, range] of rangesOf(seal.portions).entries()) {
    const sealed = kept[index]
    if (sealed === undefined) continue
    const now = await digestRange(tx, day, range)
    const accounts = `accounts after ${range[0] || 'the first'} up to ${range[1]}`
    if (!now.entries_digest.equals(sealed.entries_digest)) {
      reasons.push(`Entries of ${day} of ${accounts} differ from the seal.`)
    }
    if (!now.balances_digest.equals(sealed.balances_digest)) {
      reasons.push(`Sealed positions and cash of ${day} of ${accounts} differ from the seal.`)
    }
    if (sealed.lines_digest !== null && now.lines_digest?.equals(sealed.lines_digest) !== true) {
      reasons.push(`Lines that ${day} knew of ${accounts} differ from the seal.`)
    }
  }
  return reasons
}

function rangesOf(portions: readonly string[]): AccountRange[] {
  return portions.map((upTo, index) => [portions[index - 1] ?? '', upTo])
}
