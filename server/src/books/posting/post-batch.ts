/**
 * Posts a batch of completed lines in one transaction: locks the accounts' books in the order of their numbers, leaves out
 * what is there already, puts lines on top of their holdings or folds them again, and writes everything set by set.
 */
import { setImmediate as immediate } from 'node:timers/promises'
import type { Tx } from '../../database/transaction.ts'
import { type AccountBooks, lockAccountBooks } from '../../store/books/accounts.ts'
import { readBreaksOfLines } from '../../store/books/breaks.ts'
import { readPostings } from '../../store/books/entries.ts'
import {
  type HoldingName,
  type KeptHolding,
  nameOfHolding,
  readHoldings,
} from '../../store/books/holdings.ts'
import {
  type CorrectionRow,
  findLines,
  type LineSecurities,
  readCorrections,
  readKnownIds,
  readLines,
  type StoredLine,
} from '../../store/books/lines.ts'
import { readLinks } from '../../store/books/links.ts'
import { readClosings, readWashes } from '../../store/books/results.ts'
import { readSuspensions, type Suspension } from '../../store/books/suspensions.ts'
import { readBusinessDay } from '../../store/business-day.ts'
import { type AccountChange, emptyChange } from './account-change.ts'
import { type BookedLine, keysOf, noSecurity, numberLine } from './booked-line.ts'
import { closeOverLinks, planRefold } from './plan-refold.ts'
import { postInOrder } from './post-in-order.ts'
import { linesToCompare, refold } from './refold.ts'
import { breaksOfRestrictions, isClosed } from './suspended.ts'

export interface PostedBatch {
  readonly duplicates: number
  /** New lines of accounts that are closed. */
  readonly closed: readonly BookedLine[]
}

/** What a batch needs beside its lines. */
export interface BatchSettings {
  readonly now: Date
  /** Ids that are in the books are left out; otherwise the batch fails at the first, by the key of lines. */
  readonly looksUpIds: boolean
  readonly securities: LineSecurities
  /** Told, once the accounts are locked, on which business date the lines are entered. */
  onLocked(businessDate: string): Promise<void>
  /** Takes the changes of some accounts to write them: while the database does, the next are worked out. */
  onChanges(changes: readonly AccountChange[]): Promise<void>
}

/** Lines whose changes are written together. */
const sliceLinesMax = 1_000
/** Lines worked out before the socket's turn. */
const linesAtOnce = 100

/** Posts the lines, which are in the order of the feed. */
export async function postBatch(
  tx: Tx,
  lines: readonly BookedLine[],
  { now, looksUpIds, securities, onLocked, onChanges }: BatchSettings,
): Promise<PostedBatch> {
  const idsOfFirms = new Map<string, Set<string>>()
  const fresh = withoutRepeats(lines, idsOfFirms)
  const accounts = new Map(fresh.map(({ account }) => [account.accountNumber, account]))
  const tags = fresh
    .filter(({ line }) => (line.cancels || line.rebills) && line.tagNo !== undefined)
    .map(({ account, line }) => ({ firmId: account.firmId, externalId: line.tagNo as string }))
  const [books, known, waiting, businessDate, originals, suspended] = await Promise.all([
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
    // After the lock: an account that is being closed is waited for.
    readSuspensions(tx, [...accounts.keys()]),
  ])
  await onLocked(businessDate)
  const suspensions = Map.groupBy(suspended, ({ account_number }) => account_number)
  const isOfClosed = ({ account }: BookedLine) => isClosed(suspensions.get(account.accountNumber))
  // What was loaded before is a duplicate also when its account was closed since.
  const there = known ?? (fresh.some(isOfClosed) ? await readKnown(tx, idsOfFirms) : undefined)
  const { added = [], closed = [] } = Object.groupBy(
    fresh.filter(({ account, line }) => there?.get(account.firmId)?.has(line.externalId) !== true),
    (booked) => (isOfClosed(booked) ? 'closed' : 'added'),
  )
  const byAccount = Map.groupBy(added, ({ account }) => account.accountNumber)
  const kept = await readHoldings(tx, holdingsOf(byAccount, originals), securities.securityOf)
  const waitingFor = Map.groupBy(waiting, ({ account_number }) => account_number)
  const corrected = Map.groupBy(originals, ({ accountNumber }) => accountNumber)
  let slice: AccountChange[] = []
  let sliceLines = 0
  let linesSinceTurn = 0
  for (const account of books) {
    const ofAccount = byAccount.get(account.accountNumber)
    if (ofAccount === undefined) continue
    slice.push(
      await postAccount(tx, account, ofAccount, businessDate, securities, {
        kept,
        waiting: waitingFor.get(account.accountNumber) ?? [],
        originals: corrected.get(account.accountNumber) ?? [],
        suspensions: suspensions.get(account.accountNumber) ?? [],
      }),
    )
    sliceLines += ofAccount.length
    linesSinceTurn += ofAccount.length
    if (linesSinceTurn >= linesAtOnce) {
      linesSinceTurn = 0
      await immediate()
    }
    if (sliceLines < sliceLinesMax) continue
    await onChanges(slice)
    slice = []
    sliceLines = 0
  }
  await onChanges(slice)
  return { duplicates: lines.length - added.length - closed.length, closed }
}

/** Which of the ids are in the books already, by firm. */
async function readKnown(
  tx: Tx,
  idsOfFirms: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Map<string, Set<string>>> {
  const ofFirms = [...idsOfFirms].map(
    async ([firmId, ids]) => [firmId, await readKnownIds(tx, firmId, [...ids])] as const,
  )
  return new Map(await Promise.all(ofFirms))
}

/** Of lines with one id, the first; `idsOfFirms` is given all ids. */
function withoutRepeats(
  lines: readonly BookedLine[],
  idsOfFirms: Map<string, Set<string>>,
): readonly BookedLine[] {
  return lines.filter(({ account, line }) => {
    let ids = idsOfFirms.get(account.firmId)
    if (ids === undefined) {
      ids = new Set()
      idsOfFirms.set(account.firmId, ids)
    }
    if (ids.has(line.externalId)) return false
    ids.add(line.externalId)
    return true
  })
}

function holdingsOf(
  byAccount: ReadonlyMap<string, readonly BookedLine[]>,
  originals: readonly (StoredLine & { readonly accountNumber: string })[],
): HoldingName[] {
  const names = new Map<string, HoldingName>()
  const add = (accountNumber: string, secNos: readonly string[]) => {
    for (const secNo of secNos) {
      if (secNo !== noSecurity) names.set(nameOfHolding(accountNumber, secNo), { accountNumber, secNo })
    }
  }
  for (const [accountNumber, lines] of byAccount)
    for (const { line } of lines) add(accountNumber, keysOf(line))
  for (const { accountNumber, line } of originals) add(accountNumber, keysOf(line))
  return [...names.values()]
}

interface Found {
  readonly kept: ReadonlyMap<string, KeptHolding>
  readonly waiting: readonly CorrectionRow[]
  readonly originals: readonly StoredLine[]
  readonly suspensions: readonly Suspension[]
}

async function postAccount(
  tx: Tx,
  books: AccountBooks,
  lines: readonly BookedLine[],
  businessDate: string,
  securities: LineSecurities,
  found: Found,
): Promise<AccountChange> {
  const { accountNumber } = books
  lines.forEach((booked, index) => {
    numberLine(booked, Number(books.lineCount) + index + 1)
  })
  const change = emptyChange(books, lines, businessDate)
  change.breaks.push(...breaksOfRestrictions(lines, found.suspensions))
  const kept = new Map<string, KeptHolding>()
  for (const secNo of new Set(lines.flatMap(({ line }) => keysOf(line)))) {
    const holding = found.kept.get(nameOfHolding(accountNumber, secNo))
    if (holding !== undefined) kept.set(secNo, holding)
  }
  const plan = planRefold({
    books,
    lines,
    kept,
    originals: new Map(found.originals.map((original) => [original.line.externalId, original])),
    waiting: Map.groupBy(found.waiting, ({ tag_no }) => tag_no),
  })
  change.links.push(...plan.links)
  if (plan.securities.size === 0) {
    postInOrder(change, kept, lines)
    return change
  }
  const links = books.hasLinks ? await readLinks(tx, accountNumber) : []
  const linked = closeOverLinks(plan.securities, [...links, ...plan.links])
  const { again = [], onTop = [] } = Object.groupBy(lines, ({ line }) =>
    keysOf(line).some((key) => linked.has(key)) ? 'again' : 'onTop',
  )
  postInOrder(change, kept, onTop)
  await refoldSecurities(tx, change, linked, again, securities)
  return change
}

async function refoldSecurities(
  tx: Tx,
  change: AccountChange,
  linked: ReadonlySet<string>,
  fresh: readonly BookedLine[],
  securities: LineSecurities,
): Promise<void> {
  const { accountNumber } = change.books
  const secNos = [...linked]
  const lines = await readLines(tx, accountNumber, { securities: secNos }, securities)
  await securities.learn(secNos.filter((secNo) => secNo !== noSecurity))
  const names = secNos.filter((secNo) => secNo !== noSecurity).map((secNo) => ({ accountNumber, secNo }))
  const [holdings, closings, washes, breaks, postings] = await Promise.all([
    readHoldings(tx, names, securities.securityOf),
    readClosings(tx, accountNumber, secNos),
    readWashes(tx, accountNumber, secNos),
    readBreaksOfLines(
      tx,
      accountNumber,
      lines.map(({ line }) => line.externalId),
    ),
    readPostings(tx, accountNumber, linesToCompare(lines, fresh)),
  ])
  const byName = new Map(secNos.map((secNo) => [secNo, holdings.get(nameOfHolding(accountNumber, secNo))]))
  refold(
    change,
    {
      securities: linked,
      lines,
      holdings: new Map(
        [...byName].filter((entry): entry is [string, KeptHolding] => entry[1] !== undefined),
      ),
      closings,
      washes,
      breaks,
      postings,
    },
    fresh,
  )
}
