/**
 * Posts a batch of completed lines in one transaction. It locks the books of the accounts in the order of
 * their numbers and leaves out lines that are booked already. It adds lines on top of their holdings, or
 * folds the holdings again, and writes everything in sets.
 */
import type { Tx } from '../../database/transaction.ts'
import { lockAccountBooks } from '../../store/books/accounts.ts'
import { type CashOfAccount, readCashOfAccounts } from '../../store/books/balances.ts'
import { readEntitled } from '../../store/books/entitled.ts'
import { type HoldingName, type HoldingsOfAccount, readHoldings } from '../../store/books/holdings.ts'
import {
  findLines,
  type LineSecurities,
  readCorrections,
  readKnownIds,
  type StoredLine,
} from '../../store/books/lines.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import { readSuspensions } from '../../store/books/suspensions.ts'
import { readBusinessDay } from '../../store/business-day.ts'
import type { Directory } from '../directory.ts'
import type { Pace } from '../pace.ts'
import type { AccountChange } from './account-change.ts'
import { type BookedLine, keysOf, noSecurity } from './booked-line.ts'
import { findConflicts } from './find-conflicts.ts'
import { asksEntitlement, entitledOf } from './not-entitled.ts'
import { postAccount } from './post-account.ts'
import { LinesOfBatch } from './rebilled-elsewhere.ts'
import type { RefusedBooking } from './refuse-in-order.ts'
import { isClosed, whyClosed } from './suspended.ts'

export interface PostedBatch {
  readonly duplicates: number
  /** Lines with a known id and different contents, with each field that differs. */
  readonly conflicts: readonly RefusedLine[]
  /** New lines of closed accounts, and lines that exceed the range of the books. */
  readonly refused: readonly RefusedBooking[]
}

/** The context of a batch. */
export interface BatchSettings {
  readonly now: Date
  /**
   * Leaves out ids that are booked already. Otherwise the batch fails at the first one, by the key of lines.
   */
  readonly looksUpIds: boolean
  /**
   * Reads cash balances and checks them line by line. Otherwise the batch fails if a balance exceeds its
   * column.
   */
  readonly looksUpCash: boolean
  readonly securities: LineSecurities
  readonly directory: Directory
  readonly pace: Pace
  /** Called with the business date of entry once the accounts are locked. */
  onLocked(businessDate: string): Promise<void>
  /** Takes the change of each account. The next changes are computed while the database writes this one. */
  onChange(change: AccountChange): Promise<void>
}

/** The number of lines computed before the socket is served. */
const linesAtOnce = 100

/** Posts the lines, which are in the order of the feed. */
export async function postBatch(
  tx: Tx,
  lines: readonly BookedLine[],
  { now, looksUpIds, looksUpCash, securities, directory, pace, onLocked, onChange }: BatchSettings,
): Promise<PostedBatch> {
  const { fresh, repeats, idsOfFirms } = withoutRepeats(lines)
  const accounts = new Map(fresh.map(({ account }) => [account.accountNumber, account]))
  const tags = fresh
    .filter(({ line }) => (line.cancels || line.rebills) && line.tagNo !== undefined)
    .map(({ account, line }) => ({ firmId: account.firmId, externalId: line.tagNo as string }))
  const asking = new Set(fresh.filter(asksEntitlement).map(({ account }) => account.accountNumber))
  const [books, known, waiting, businessDate, originals, suspended, entitled] = await Promise.all([
    lockAccountBooks(tx, [...accounts.values()]),
    looksUpIds ? readKnown(tx, idsOfFirms) : undefined,
    readCorrections(
      tx,
      fresh.map(({ account, line }) => ({
        accountNumber: account.accountNumber,
        externalId: line.externalId,
      })),
    ),
    readBusinessDay(tx, now),
    tags.length === 0 ? [] : findLines(tx, tags, securities),
    // Read after the lock, so that an account that is being closed is seen as closed.
    readSuspensions(tx, [...accounts.keys()]),
    asking.size === 0 ? [] : readEntitled(tx, [...asking]),
  ])
  await onLocked(businessDate)
  const suspensions = Map.groupBy(suspended, ({ account_number }) => account_number)
  const entitlements = new Map(entitled.map((row) => [row.account_number, entitledOf(row)]))
  const isOfClosed = ({ account }: BookedLine) => isClosed(suspensions.get(account.accountNumber))
  // A line that was loaded before is a duplicate even if its account was closed since.
  const there = known ?? (fresh.some(isOfClosed) ? await readKnown(tx, idsOfFirms) : undefined)
  const isThere = ({ account, line }: BookedLine) => there?.get(account.firmId)?.has(line.externalId) === true
  const {
    added = [],
    closed = [],
    again = [],
  } = Object.groupBy(fresh, (booked) => (isThere(booked) ? 'again' : isOfClosed(booked) ? 'closed' : 'added'))
  const conflicts = await findConflicts(tx, { fresh, again, repeats }, securities, directory)
  const byAccount = Map.groupBy(added, ({ account }) => account.accountNumber)
  const corrected = Map.groupBy(originals, ({ accountNumber }) => accountNumber)
  const [kept, cash] = await Promise.all([
    readHoldings(tx, holdingsOf(byAccount, corrected), securities.securityOf),
    looksUpCash ? readCashOfAccounts(tx, [...byAccount.keys()]) : undefined,
  ])
  const refused: RefusedBooking[] = []
  const waitingFor = Map.groupBy(waiting, ({ account_number }) => account_number)
  const batch = new LinesOfBatch(added)
  const nextSlice = pace.slices()
  let linesSinceTurn = 0
  for (const account of books) {
    const ofAccount = byAccount.get(account.accountNumber)
    if (ofAccount === undefined) continue
    const { accountNumber } = account
    const found = {
      kept: kept.get(accountNumber) ?? noHoldings,
      waiting: waitingFor.get(accountNumber) ?? [],
      originals: corrected.get(accountNumber) ?? [],
      suspensions: suspensions.get(accountNumber) ?? [],
      entitled: entitlements.get(accountNumber),
      batch,
      cash: cash && (cash.get(accountNumber) ?? noCash),
    }
    const posted = await postAccount({ tx, books: account, businessDate, securities, found }, ofAccount)
    refused.push(...posted.refused)
    if (posted.change !== undefined) await onChange(posted.change)
    linesSinceTurn += ofAccount.length
    if (linesSinceTurn >= linesAtOnce) {
      linesSinceTurn = 0
      await nextSlice()
    }
  }
  return {
    duplicates: again.length + repeats.length - conflicts.length,
    conflicts,
    refused: [...refused, ...closed.map((booked) => ({ booked, rejection: whyClosed }))],
  }
}

const noCash: CashOfAccount = new Map()
const noHoldings: HoldingsOfAccount = new Map()

/** The ids that are booked already, by firm. */
async function readKnown(
  tx: Tx,
  idsOfFirms: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Map<string, Set<string>>> {
  const ofFirms = [...idsOfFirms].map(
    async ([firmId, ids]) => [firmId, await readKnownIds(tx, firmId, [...ids])] as const,
  )
  return new Map(await Promise.all(ofFirms))
}

interface Distinct {
  /** The first line of each id. */
  readonly fresh: readonly BookedLine[]
  readonly repeats: readonly BookedLine[]
  readonly idsOfFirms: ReadonlyMap<string, ReadonlySet<string>>
}

function withoutRepeats(lines: readonly BookedLine[]): Distinct {
  const idsOfFirms = new Map<string, Set<string>>()
  const repeats: BookedLine[] = []
  const fresh = lines.filter((booked) => {
    const { account, line } = booked
    let ids = idsOfFirms.get(account.firmId)
    if (ids === undefined) {
      ids = new Set()
      idsOfFirms.set(account.firmId, ids)
    }
    if (ids.has(line.externalId)) {
      repeats.push(booked)
      return false
    }
    ids.add(line.externalId)
    return true
  })
  return { fresh, repeats, idsOfFirms }
}

function holdingsOf(
  byAccount: ReadonlyMap<string, readonly BookedLine[]>,
  originals: ReadonlyMap<string, readonly StoredLine[]>,
): HoldingName[] {
  const names: HoldingName[] = []
  for (const [accountNumber, lines] of byAccount) {
    const secNos = new Set<string>()
    for (const { line } of lines) for (const secNo of keysOf(line)) secNos.add(secNo)
    for (const { line } of originals.get(accountNumber) ?? []) {
      for (const secNo of keysOf(line)) secNos.add(secNo)
    }
    secNos.delete(noSecurity)
    for (const secNo of secNos) names.push({ accountNumber, secNo })
  }
  return names
}
