/**
 * Seals a day for each firm. The seal signs the digest of the rows that its accounts got, and is linked to
 * the firm's previous seal. All firms of the cell are bound to the seal of the day, so that none can be left
 * out.
 */
import { createHash, type KeyObject, sign, verify } from 'node:crypto'
import type { SealKey } from '../audit/seal-key.ts'
import type { Tx } from '../database/transaction.ts'
import type { DayClose } from '../store/business-day.ts'
import {
  afterAll,
  type DayFirms,
  type FirmSeal,
  insertDayFirms,
  insertFirmSeals,
  readCloseBefore,
  readFirmsToSeal,
} from '../store/firm-seals.ts'
import { insertFirmDigests } from '../store/range-digests.ts'
import type { FactsDigest } from '../store/sealed-facts.ts'
import type { DaySeal } from '../store/seals.ts'

export interface DayToSign {
  readonly close: DayClose
  readonly seal: DaySeal
  /** The digest of the facts that all firms share. */
  readonly shared: FactsDigest
  /** True if the day was closed earlier without seals of firms. */
  readonly afterwards: boolean
}

/** Requires the digests by firm of every portion of the day. */
export async function signFirms(
  tx: Tx,
  { close, seal, shared, afterwards }: DayToSign,
  { keyId, privateKey }: SealKey,
): Promise<void> {
  const { closeDate, portions } = close
  // Accounts after the last portion have no books, but facts may name them.
  insertFirmDigests(tx, closeDate, [portions.at(-1) ?? '', afterAll])
  const [firms, since] = await Promise.all([
    readFirmsToSeal(tx, closeDate, afterwards),
    readCloseBefore(tx, closeDate),
  ])
  const common = { close_date: closeDate, since, key_id: keyId }
  const seals = firms.map((firm) => ({
    ...firm,
    ...common,
    afterwards,
    signature: sign(null, messageOfFirm(closeDate, firm), privateKey),
  }))
  insertFirmSeals(tx, seals)
  const digest = digestOfFirms(closeDate, seal.digest, shared, seals)
  const signature = sign(null, messageOfDay(closeDate, digest), privateKey)
  insertDayFirms(tx, { ...common, ...shared, firms: BigInt(seals.length), digest, signature })
}

/** The digest of the seals of all firms of a day in this cell, and of the facts that the firms share. */
export function digestOfFirms(
  closeDate: string,
  ofDay: Buffer,
  { facts, facts_digest }: FactsDigest,
  seals: readonly Pick<FirmSeal, 'firm_id' | 'digest'>[],
): Buffer {
  const hash = createHash('sha256').update(`firms of business day ${closeDate} ${ofDay.toString('hex')}\n`)
  hash.update(`facts ${facts} ${facts_digest.toString('hex')}\n`)
  for (const { firm_id, digest } of seals) hash.update(`${firm_id} ${digest.toString('hex')}\n`)
  return hash.digest()
}

function messageOfFirm(closeDate: string, { firm_id, digest }: Pick<FirmSeal, 'firm_id' | 'digest'>): Buffer {
  return Buffer.from(JSON.stringify(['firm seal', closeDate, firm_id, digest.toString('hex')]))
}
function messageOfDay(closeDate: string, digest: Buffer): Buffer {
  return Buffer.from(JSON.stringify(['firms of business day', closeDate, digest.toString('hex')]))
}

export function isFirmSignedBy(seal: FirmSeal, key: KeyObject | undefined): boolean {
  return key !== undefined && verify(null, messageOfFirm(seal.close_date, seal), key, seal.signature)
}
export function isDaySignedBy(
  { close_date, digest, signature }: DayFirms,
  key: KeyObject | undefined,
): boolean {
  return key !== undefined && verify(null, messageOfDay(close_date, digest), key, signature)
}
