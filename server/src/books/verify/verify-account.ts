/**
 * Verifies the books of one account to the last unit. Folds its lines again, and compares stored lots,
 * positions, cash, entries, closings and washes with the result. Compares each sealed day with its seal.
 */

import {
  type AccountFold,
  type Closing,
  type Entry,
  foldAccount,
  foldEntries,
  type HoldingState,
  type Lot,
  makeEntry,
  verifyBalances,
  verifyLots,
  verifyStockRecord,
  verifyWashes,
  type Wash,
} from '@clearing/domain/books'
import { renderDecimal, ZERO } from '@clearing/domain/decimal'
import { countOf } from '@clearing/protocol/values'
import type { Tx } from '../../database/transaction.ts'
import type { AccountBooks } from '../../store/books/accounts.ts'
import { readEntryCount } from '../../store/books/accounts-to-verify.ts'
import { type KeptCash, readCash } from '../../store/books/balances.ts'
import { readAccountPostings } from '../../store/books/entries.ts'
import { type HoldingsOfAccount, readAccountHoldings, readQuantities } from '../../store/books/holdings.ts'
import { readLines, type StoredLine } from '../../store/books/lines.ts'
import { nameOfClosing, nameOfWash, readClosings, readWashes } from '../../store/books/results.ts'
import { readSealedBalances } from '../../store/seals.ts'
import type { Directory } from '../directory.ts'
import { entryOf } from '../posting/account-change.ts'
import { cancelledIds, isSame } from '../posting/refold.ts'
import { verifyActivity } from './verify-activity.ts'
import { compareClosedDays } from './verify-closed-days.ts'

/** The differences. */
export interface BooksBreak {
  readonly kind:
    | 'Seal'
    | 'Lines'
    | 'Lots'
    | 'Position'
    | 'Cash'
    | 'Activity'
    | 'Entry'
    | 'StockRecord'
    | 'Closing'
    | 'Wash'
  readonly accountNumber: string
  readonly secNo: string
  readonly reason: string
}

export interface VerifiedAccount {
  readonly entries: number
  readonly positions: number
  readonly breaks: readonly BooksBreak[]
}

/**
 * `days` are the sealed days to check. All data is read in one snapshot of the database, so that concurrent
 * lines do not look like breaks.
 */
export async function verifyAccount(
  tx: Tx,
  books: AccountBooks,
  directory: Directory,
  days: readonly string[] = [],
): Promise<VerifiedAccount> {
  const { accountNumber, lotMethod } = books
  const learn = (secNos: Iterable<string>) => directory.learnByNumber(tx, secNos)
  const securityOf = (secNo: string) => directory.known(secNo).booked
  const stored = await readLines(tx, accountNumber, 'all', { learn, securityOf })
  const kept = await readAccountHoldings(tx, accountNumber, learn, securityOf)
  const [quantities, cash, closings, washes, entries, postings, sealed] = await Promise.all([
    readQuantities(tx, accountNumber),
    readCash(tx, accountNumber),
    readClosings(tx, accountNumber, null),
    readWashes(tx, accountNumber, null),
    readEntryCount(tx, accountNumber),
    readAccountPostings(tx, accountNumber),
    days.length === 0 ? [] : readSealedBalances(tx, accountNumber),
  ])
  const lines = stored.map(({ line }) => line)
  const fold = foldAccount(lines, { lotMethod })
  const breaks: BooksBreak[] = []
  const tell = (kind: BooksBreak['kind'], reason: string, secNo = '') =>
    breaks.push({ kind, accountNumber, secNo, reason })

  if (lines.length !== Number(books.lineCount)) {
    tell(
      'Lines',
      `The account has ${countOf(lines.length, 'line')}, but the number of lines entered is ${books.lineCount}.`,
    )
  }
  if (entries !== Number(books.entryCount)) {
    tell(
      'Entry',
      `The account has ${countOf(entries, 'entry', 'entries')}, but the number of entries posted is ${books.entryCount}.`,
    )
  }
  for (const reason of [...verifyLots(fold), ...verifyWashes(fold)]) tell('Lots', reason)
  compareHoldings(fold, kept, tell)
  comparePositions(fold, quantities, tell)
  compareCash(fold, cash, tell)
  for (const reason of await verifyActivity(tx, accountNumber, { cash, positions: quantities }))
    tell('Activity', reason)
  comparePostings(stored, fold, postings, tell)
  const balances = foldEntries(postings.values())
  for (const reason of verifyBalances(fold, balances))
    tell('Position', `Entries and lines differ: ${reason}.`)
  for (const reason of verifyStockRecord(balances)) tell('StockRecord', reason)
  compareNamed(fold.closings, closings, nameOfClosing, (of: Closing, reason) =>
    tell('Closing', `The closing of lot ${of.lotId} by line ${of.lineId} ${reason}.`, of.securityKey),
  )
  compareNamed(fold.washes, washes, nameOfWash, (of: Wash, reason) =>
    tell('Wash', `The wash of line ${of.lossLineId} by lot ${of.lotId} ${reason}.`, of.securityKey),
  )
  for (const { asset, reason } of compareClosedDays({ lotMethod, lines: stored, days, sealed }))
    tell('Seal', reason, /^\d+$/.test(asset) ? asset : '')
  return { entries, positions: quantities.length, breaks }
}

type Tell = (kind: BooksBreak['kind'], reason: string, secNo?: string) => void

function compareHoldings(fold: AccountFold, kept: HoldingsOfAccount, tell: Tell): void {
  for (const [secNo, folded] of fold.holdings) {
    const holding = kept.get(secNo)
    if (holding === undefined) {
      if (folded.lots.some((lots) => lots.length > 0)) tell('Lots', 'The holding is missing.', secNo)
      continue
    }
    const wrong = differenceOf(folded, holding.state)
    if (wrong !== undefined) tell('Lots', wrong, secNo)
  }
  for (const [secNo, { state }] of kept) {
    if (fold.holdings.has(secNo) || state.lots.every((lots) => lots.length === 0)) continue
    tell('Lots', 'There are lots that no line opened.', secNo)
  }
}

function differenceOf(folded: HoldingState, kept: HoldingState): string | undefined {
  for (const type of [0, 1, 2] as const) {
    const is = kept.lots[type]
    const due = folded.lots[type]
    if (is.length !== due.length)
      return `Account type ${type + 1} has ${countOf(is.length, 'lot')}, not ${due.length}.`
    const at = due.findIndex((lot, index) => !isSame(lot, is[index] as Lot))
    if (at >= 0) return `Lot ${due[at]?.id} differs from its lines.`
  }
  if (folded.parts !== kept.parts || folded.restatedOn !== kept.restatedOn) {
    return 'The stored history for later lines differs from the lines.'
  }
  if (!isSameList(folded.pendingLosses, kept.pendingLosses)) {
    return 'Losses that purchases may still wash differ from their lines.'
  }
  return isSameList(
    folded.inTransit.map(({ lot }) => lot),
    kept.inTransit.map(({ lot }) => lot),
  )
    ? undefined
    : 'Lots in transit differ from their lines.'
}

function isSameList<T extends object>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((one, at) => isSame(one, b[at] as T))
}

function comparePositions(
  fold: AccountFold,
  quantities: readonly { readonly secNo: string; readonly acctType: number; readonly quantity: bigint }[],
  tell: Tell,
): void {
  const due = new Map<string, bigint>()
  for (const { securityKey, acctType, quantity } of fold.positions) {
    if (quantity !== ZERO) due.set(`${securityKey} ${acctType}`, quantity)
  }
  for (const { secNo, acctType, quantity } of quantities) {
    const name = `${secNo} ${acctType}`
    const sum = due.get(name) ?? ZERO
    due.delete(name)
    if (sum === quantity) continue
    const reason = `The position of account type ${acctType} is ${renderDecimal(quantity)}, its lots sum to ${renderDecimal(sum)}.`
    tell('Position', reason, secNo)
  }
  for (const [name, sum] of due) {
    const [secNo = '', acctType = ''] = name.split(' ')
    tell(
      'Position',
      `The position of account type ${acctType} is missing; its lots sum to ${renderDecimal(sum)}.`,
      secNo,
    )
  }
}

function compareCash(fold: AccountFold, kept: readonly KeptCash[], tell: Tell): void {
  const due = new Map(fold.cash.map(({ acctType, currency, amount }) => [`${acctType} ${currency}`, amount]))
  for (const { acctType, currency, amount } of kept) {
    const sum = due.get(`${acctType} ${currency}`) ?? ZERO
    due.delete(`${acctType} ${currency}`)
    if (sum !== amount) {
      tell(
        'Cash',
        `Cash of account type ${acctType} is ${renderDecimal(amount)} ${currency}, its lines sum to ${renderDecimal(sum)}.`,
      )
    }
  }
  for (const [name, sum] of due)
    tell('Cash', `Cash ${name} is missing; its lines sum to ${renderDecimal(sum)}.`)
}

/** The entries of each line sum to its current posting, and to zero after it was cancelled. */
function comparePostings(
  stored: readonly StoredLine[],
  fold: AccountFold,
  postings: ReadonlyMap<number, Entry>,
  tell: Tell,
): void {
  const cancelled = cancelledIds(stored.map(({ line }) => line))
  const movements = Map.groupBy(fold.movements, ({ lineId }) => lineId)
  const known = new Set<number>()
  for (const { line } of stored) {
    known.add(line.sequence)
    const is = settled(postings.get(line.sequence) ?? makeEntry(line.externalId, []))
    const counts = !line.cancels && !cancelled.has(line.externalId)
    const due = settled(
      counts
        ? entryOf(line, movements.get(line.externalId) ?? [], endOfTime)
        : makeEntry(line.externalId, []),
    )
    const name = `Line ${line.externalId}`
    if (is.size !== due.size || [...due].some(([leg, amount]) => is.get(leg) !== amount)) {
      tell('Entry', `${name} differs from its entries.`, line.security?.key)
    }
  }
  for (const sequence of postings.keys()) {
    if (!known.has(sequence)) tell('Entry', `There are entries of line ${sequence}, which does not exist.`)
  }
}

/** The date on which every line has settled. */
const endOfTime = '9999-12-31'

/** Sums of the legs of an entry, with the street's side as if it had settled. */
function settled({ legs }: Entry): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { ledger, acctType, asset, amount } of legs) {
    const name = asset.kind === 'cash' ? asset.currency : asset.securityKey
    const place = asset.kind === 'cash' ? 'location:bank' : 'location:depository'
    const leg = `${ledger === 'street:clearing' ? place : ledger} ${acctType} ${name}`
    const sum = (sums.get(leg) ?? ZERO) + amount
    if (sum === ZERO) sums.delete(leg)
    else sums.set(leg, sum)
  }
  return sums
}

function compareNamed<T extends object>(
  due: readonly T[],
  kept: readonly T[],
  nameOf: (of: T) => string,
  tell: (of: T, reason: string) => void,
): void {
  const byName = new Map(kept.map((of) => [nameOf(of), of]))
  for (const of of due) {
    const is = byName.get(nameOf(of))
    byName.delete(nameOf(of))
    if (is === undefined) tell(of, 'is missing')
    else if (!isSame(of, is)) tell(of, 'differs from its lines')
  }
  for (const of of byName.values()) tell(of, 'is of no line')
}
