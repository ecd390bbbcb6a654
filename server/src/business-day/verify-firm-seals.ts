/**
 * Verifies the seals of firms for a day: the signatures and their keys, each firm's chain, the link of all
 * firms to the seal of the day, and the digests of each firm's accounts, computed again from the tables. Of a
 * firm that has left, only the seals remain. The seals of a firm that came from another cell are verified
 * under the keys of that cell.
 */
import type { KeyObject } from 'node:crypto'
import { type FirmsOfCell, readFirmsOfCell } from '../audit/firms-of-cell.ts'
import { readTrustedKeys, type TrustedKeys } from '../audit/other-keys.ts'
import { publicKeyOf } from '../audit/seal-key.ts'
import type { Tx } from '../database/transaction.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import type { AccountRange } from '../store/business-day.ts'
import {
  afterAll,
  type DayFirms,
  digestPortionsOf,
  type FirmSeal,
  readDaysByFirm,
  readFirmDigests,
  readFirmSeals,
  readRangesOfFirm,
} from '../store/firm-seals.ts'
import { digestFirmsOf, type FirmDigest } from '../store/range-digests.ts'
import { digestSharedFacts } from '../store/sealed-facts.ts'
import type { DaySeal, StoredSealKey } from '../store/seals.ts'
import { digestOfFirms, isDaySignedBy, isFirmSignedBy } from './sign-firms.ts'

export interface FirmSeals {
  readonly keys: TrustedKeys
  /** The keys of this cell in the tables, including those whose owner is unknown. */
  readonly stored: ReadonlyMap<string, StoredSealKey>
  readonly firms: FirmsOfCell
  /** Days that this cell sealed by firm. */
  readonly days: ReadonlyMap<string, DayFirms>
}

export async function readFirmSealsOf(
  tx: Tx,
  masterKeys: MasterKeys,
  stored: ReadonlyMap<string, StoredSealKey>,
): Promise<FirmSeals> {
  const keys = await readTrustedKeys(tx, masterKeys)
  const days = new Map((await readDaysByFirm(tx)).map((day) => [day.close_date, day]))
  return { keys, stored, firms: await readFirmsOfCell(tx, keys), days }
}

/** The portions of a day, and the range after the last portion. */
export function rangesWithRest(portions: readonly string[]): AccountRange[] {
  return [...portions, afterAll].map((upTo, index) => [portions[index - 1] ?? '', upTo])
}

/**
 * The differences of a day. `seal` is this cell's seal of the day; undefined for a day that only another cell
 * closed.
 */
export async function verifyFirmsOfDay(
  tx: Tx,
  ofFirms: FirmSeals,
  day: string,
  seal: (DaySeal & { readonly portions: readonly string[] }) | undefined,
): Promise<string[]> {
  const { keys, firms, days } = ofFirms
  // The keys of an arriving firm's seals are stored last.
  const seals = (await readFirmSeals(tx, day)).filter(
    ({ firm_id, key_id }) =>
      !firms.elsewhere.has(firm_id) || ofFirms.stored.has(key_id) || keys.other.has(key_id),
  )
  const own = seals.filter(({ key_id }) => !keys.other.has(key_id))
  const reasons: string[] = []
  for (const one of seals) reasons.push(...(await differencesOfSeal(tx, ofFirms, one)))
  const ofDay = days.get(day)
  // The key of the day's own seal has been checked already.
  const signers = new Set([
    ...own.map(({ key_id }) => key_id),
    ...(ofDay === undefined ? [] : [ofDay.key_id]),
  ])
  signers.delete(seal?.key_id ?? '')
  for (const keyId of signers) {
    if (!keys.own.has(keyId))
      reasons.push(`The owner of the key ${keyId} of seals of firms of ${day} is unknown.`)
  }
  if (ofDay !== undefined && seal !== undefined) {
    reasons.push(...(await differencesOfDay(tx, { key: keyOf(ofFirms, ofDay.key_id), ofDay, seal, own })))
    const here = new Set(own.map(({ firm_id }) => firm_id).filter((firmId) => !firms.elsewhere.has(firmId)))
    for (const range of rangesWithRest(seal.portions)) {
      const [sealed, now] = await Promise.all([
        readFirmDigests(tx, day, range[1]),
        digestFirmsOf(tx, ofDay, range),
      ])
      reasons.push(...compare(day, range, here, sealed, now))
    }
  }
  for (const one of seals) {
    if (keys.other.has(one.key_id) && !firms.elsewhere.has(one.firm_id))
      reasons.push(...(await differencesOfMoved(tx, one)))
  }
  return reasons
}

function keyOf({ keys, stored }: FirmSeals, keyId: string): KeyObject | undefined {
  const key = stored.get(keyId)
  return key === undefined ? keys.other.get(keyId)?.key : publicKeyOf(key)
}

async function differencesOfSeal(
  tx: Tx,
  ofFirms: FirmSeals,
  seal: FirmSeal & { readonly expected_previous: Buffer },
): Promise<string[]> {
  const name = nameOf(seal)
  const reasons: string[] = []
  if (!isFirmSignedBy(seal, keyOf(ofFirms, seal.key_id))) reasons.push(`${name} is not signed by its key.`)
  if (!seal.previous_digest.equals(seal.expected_previous))
    reasons.push(`${name} does not continue the one before it.`)
  if (!ofFirms.firms.elsewhere.has(seal.firm_id) && !(await digestPortionsOf(tx, seal)).equals(seal.digest))
    reasons.push(`${name} is not over the digests of its accounts.`)
  return reasons
}

async function differencesOfDay(
  tx: Tx,
  {
    key,
    ofDay,
    seal,
    own,
  }: {
    readonly key: KeyObject | undefined
    readonly ofDay: DayFirms
    readonly seal: DaySeal
    readonly own: readonly FirmSeal[]
  },
): Promise<string[]> {
  const day = ofDay.close_date
  const reasons: string[] = []
  if (!isDaySignedBy(ofDay, key)) reasons.push(`The signature over the firms of ${day} is not its key's.`)
  if (!digestOfFirms(day, seal.digest, ofDay, own).equals(ofDay.digest))
    reasons.push(`The seals of firms of ${day} are not those that were sealed.`)
  const { facts_digest } = await digestSharedFacts(tx, ofDay)
  if (!facts_digest.equals(ofDay.facts_digest)) reasons.push(`Facts that ${day} knew differ from the seal.`)
  return reasons
}

/** Verifies a firm's seal by another cell: all accounts of the firm, in the portions of that cell. */
async function differencesOfMoved(tx: Tx, seal: FirmSeal): Promise<string[]> {
  const reasons: string[] = []
  const { close_date: day, firm_id: firmId } = seal
  const isOfFirm = (digest: FirmDigest) => digest.firm_id === firmId
  for (const range of await readRangesOfFirm(tx, seal)) {
    const [sealed, now] = await Promise.all([
      readFirmDigests(tx, day, range[1]),
      digestFirmsOf(tx, seal, range),
    ])
    reasons.push(...compare(day, range, new Set([firmId]), sealed.filter(isOfFirm), now.filter(isOfFirm)))
  }
  return reasons
}

/** Compares the rows of some firms in a range with the seals of these firms. */
function compare(
  day: string,
  [after, upTo]: AccountRange,
  firmIds: ReadonlySet<string>,
  sealed: readonly FirmDigest[],
  now: readonly FirmDigest[],
): string[] {
  const reasons: string[] = []
  for (const firmId of firmIds) {
    const was = sealed.find(({ firm_id }) => firm_id === firmId)
    const is = now.find(({ firm_id }) => firm_id === firmId)
    if (was === undefined && is === undefined) continue
    const accounts = `accounts after ${after || 'the first'}${upTo === afterAll ? '' : ` up to ${upTo}`}`
    const where = `${accounts} of firm ${firmId}`
    const differs = (name: 'entries' | 'balances' | 'lines' | 'facts') =>
      was === undefined || is === undefined
        ? ((was ?? is)?.[name] ?? 0n) > 0n
        : was[`${name}_digest`]?.equals(is[`${name}_digest`] ?? Buffer.alloc(0)) !== true
    if (differs('entries')) reasons.push(`Entries of ${day} of ${where} differ from the seal.`)
    if (differs('balances'))
      reasons.push(`Sealed positions and cash of ${day} of ${where} differ from the seal.`)
    if (differs('lines')) reasons.push(`Lines that ${day} knew of ${where} differ from the seal.`)
    if (differs('facts')) reasons.push(`Facts that ${day} knew of ${where} differ from the seal.`)
  }
  return reasons
}

function nameOf({ firm_id, close_date }: FirmSeal): string {
  return `The seal of firm ${firm_id} of ${close_date}`
}
