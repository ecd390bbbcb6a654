/** Seals a day: the digests of its portions, linked to the previous seal, signed. */
import { createHash, sign, verify } from 'node:crypto'
import { publicKeyOf, takeSealKey } from '../audit/seal-key.ts'
import type { PortionWork } from '../books/portion-work.ts'
import type { Tx } from '../database/transaction.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import type { DayClose } from '../store/business-day.ts'
import type { PortionCounts } from '../store/close-portions.ts'
import { areAllByFirm } from '../store/close-portions.ts'
import { countPositionsOfRange, readDayAccounts } from '../store/day-accounts.ts'
import { insertPortionDigests, type PortionDigest } from '../store/range-digests.ts'
import { digestFactsOf, type FactsDigest } from '../store/sealed-facts.ts'
import type { StoredSealKey } from '../store/seals.ts'
import {
  type DaySeal,
  insertDaySeal,
  lockBooksToSeal,
  noteSealedLines,
  readPortionDigests,
  readSealBefore,
  sealBalances,
  sealGivenBalances,
} from '../store/seals.ts'
import { signFirms } from './sign-firms.ts'

/** Stores and digests the holdings of the accounts of a portion and the entries of the day. */
export async function sealPortion(work: PortionWork): Promise<PortionCounts> {
  const { tx, close, range, folds } = work
  const { closeDate } = close
  lockBooksToSeal(tx, closeDate, range)
  const [accounts, positions] = await Promise.all([
    readDayAccounts(tx, range, closeDate),
    countPositionsOfRange(tx, range),
  ])
  sealBalances(tx, closeDate, range)
  for (const account of accounts) {
    if (!account.movedOn) continue
    sealGivenBalances(tx, closeDate, account.accountNumber, await folds.fold(account))
  }
  noteSealedLines(tx, closeDate, range)
  insertPortionDigests(tx, closeDate, range, close.portion)
  return { positions, byFirm: true }
}

/** Signs the day, and the day of each firm, when all portions have their digests. */
export async function signDay(tx: Tx, close: DayClose, masterKeys: MasterKeys, now: Date): Promise<DaySeal> {
  const { closeDate } = close
  const [portions, before, facts, byFirm] = await Promise.all([
    readPortionDigests(tx, closeDate),
    readSealBefore(tx, closeDate),
    digestFactsOf(tx, closeDate),
    areAllByFirm(tx, close),
  ])
  const key = await takeSealKey(tx, masterKeys, now)
  const previous = before?.digest ?? Buffer.alloc(0)
  const digest = digestOfDay(closeDate, previous, portions, facts.every)
  const seal: DaySeal = {
    close_date: closeDate,
    previous_digest: previous,
    entries: portions.reduce((sum, { entries }) => sum + entries, 0n),
    balances: portions.reduce((sum, { balances }) => sum + balances, 0n),
    ...facts.every,
    digest,
    key_id: key.keyId,
    signature: sign(null, messageOf(closeDate, digest), key.privateKey),
  }
  insertDaySeal(tx, seal)
  if (byFirm) await signFirms(tx, { close, seal, shared: facts.shared, afterwards: false }, key)
  return seal
}

/** The text that is signed. It covers all sealed data. Older seals have no digests of lines and facts. */
export function digestOfDay(
  closeDate: string,
  previous: Buffer,
  portions: readonly PortionDigest[],
  { facts, facts_digest }: { [Member in keyof FactsDigest]: FactsDigest[Member] | null },
): Buffer {
  const hash = createHash('sha256').update(`business day ${closeDate} ${previous.toString('hex')}\n`)
  for (const { entries, entries_digest, balances, balances_digest, lines, lines_digest } of portions) {
    const ofLines = lines_digest === null ? '' : ` ${lines} ${lines_digest.toString('hex')}`
    hash.update(
      `${entries} ${entries_digest.toString('hex')} ${balances} ${balances_digest.toString('hex')}${ofLines}\n`,
    )
  }
  if (facts_digest !== null) hash.update(`facts ${facts} ${facts_digest.toString('hex')}\n`)
  return hash.digest()
}

function messageOf(closeDate: string, digest: Buffer): Buffer {
  return Buffer.from(JSON.stringify(['business day seal', closeDate, digest.toString('hex')]))
}

export function isSignedBy(seal: DaySeal, key: StoredSealKey | undefined): boolean {
  const publicKey = key === undefined ? undefined : publicKeyOf(key)
  return (
    publicKey !== undefined &&
    verify(null, messageOf(seal.close_date, seal.digest), publicKey, seal.signature)
  )
}
