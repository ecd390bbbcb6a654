/**
 * Posts the new lines of one account: on top of its holdings, or by a refold if they belong before other
 * lines or correct them. Lines that exceed the range of the books are left out. The others are posted as if
 * those lines had not arrived.
 */
import { cashBeyond, type Entitled, holdingBeyond } from '@clearing/domain/books'
import { ZERO } from '@clearing/domain/decimal'
import type { Rejection } from '@clearing/protocol'
import type { Tx } from '../../database/transaction.ts'
import type { AccountBooks } from '../../store/books/accounts.ts'
import { type CashOfAccount, nameOfCash, readCashOfAccounts } from '../../store/books/balances.ts'
import { readBreaksOfLines } from '../../store/books/breaks.ts'
import { readPostings } from '../../store/books/entries.ts'
import { type HoldingsOfAccount, readHoldings } from '../../store/books/holdings.ts'
import {
  type CorrectionRow,
  type LineSecurities,
  readLines,
  type StoredLine,
} from '../../store/books/lines.ts'
import { readLinks } from '../../store/books/links.ts'
import { readLinesElsewhere } from '../../store/books/rebilled-elsewhere.ts'
import { readClosings, readWashes } from '../../store/books/results.ts'
import type { Suspension } from '../../store/books/suspensions.ts'
import { type AccountChange, emptyChange, sumCash } from './account-change.ts'
import { breaksAfterEnd } from './after-end.ts'
import { type BookedLine, keysOf, noSecurity, numberLine } from './booked-line.ts'
import { findBorrowed } from './borrowed.ts'
import { breaksOfEntitlements } from './not-entitled.ts'
import { closeOverLinks, type Link, planRefold } from './plan-refold.ts'
import { postInOrder } from './post-in-order.ts'
import { type LinesOfBatch, originalsElsewhere } from './rebilled-elsewhere.ts'
import { linesToCompare, refold } from './refold.ts'
import { type RefusedBooking, refuseInOrder } from './refuse-in-order.ts'
import { breaksOfRestrictions } from './suspended.ts'

/** The stored data of the account, and of the lines that the new ones name. */
export interface Found {
  readonly kept: HoldingsOfAccount
  readonly waiting: readonly CorrectionRow[]
  readonly originals: readonly StoredLine[]
  readonly suspensions: readonly Suspension[]
  /** Undefined when no line needs them. */
  readonly entitled: Entitled | undefined
  readonly batch: LinesOfBatch
  /** Undefined when only the column limits the value. */
  readonly cash: CashOfAccount | undefined
}

export interface AccountWork {
  readonly tx: Tx
  readonly books: AccountBooks
  readonly businessDate: string
  readonly securities: LineSecurities
  readonly found: Found
}

export interface PostedAccount {
  /** Undefined when no line remains. */
  readonly change: AccountChange | undefined
  readonly refused: readonly RefusedBooking[]
}

/** Posts the lines, which are in the order of entry. */
export async function postAccount(work: AccountWork, lines: readonly BookedLine[]): Promise<PostedAccount> {
  const tried = await tryLines(work, lines)
  if ('change' in tried) return { change: tried.change, refused: [] }
  const { tx, books, found } = work
  const { accountNumber } = books
  const cash = found.cash ?? (await readCashOfAccounts(tx, [accountNumber])).get(accountNumber) ?? noCash
  const looking = { ...work, found: { ...found, cash } }
  const refused = await refuseWhatDoesNotFit(looking, cash, lines)
  const bad = new Set(refused.map(({ booked }) => booked))
  const left = lines.filter((booked) => !bad.has(booked))
  if (left.length === 0) return { change: undefined, refused }
  const posted = await tryLines(looking, left)
  if ('beyond' in posted) throw new Error(`lines of account ${accountNumber} fit one by one and not together`)
  return { change: posted.change, refused }
}

const noCash: CashOfAccount = new Map()

type Tried = { readonly change: AccountChange } | { readonly beyond: Rejection }

async function tryLines(work: AccountWork, lines: readonly BookedLine[]): Promise<Tried> {
  const { books, businessDate, found } = work
  const plan = await planLines(work, lines)
  const change = emptyChange(books, lines, businessDate)
  change.breaks.push(...breaksOfEntitlements(lines, found.entitled), ...breaksAfterEnd(lines))
  change.links.push(...plan.links)
  let beyond = postInOrder(change, found.kept, plan.onTop)
  if (beyond === undefined && plan.linked.size > 0)
    beyond = await refoldSecurities(work, change, plan.linked, plan.again)
  beyond ??= changeBeyond(change, found.cash)
  if (beyond !== undefined) return { beyond }
  const borrowed = await findBorrowed(work.tx, change, found.suspensions)
  change.breaks.push(...breaksOfRestrictions(lines, found.suspensions, borrowed))
  return { change }
}

/** The reason why the books cannot store the result of the lines; undefined if they can. */
function changeBeyond(
  { holdings, entries }: AccountChange,
  cash: CashOfAccount | undefined,
): Rejection | undefined {
  for (const { after } of holdings.values()) {
    const beyond = holdingBeyond(after)
    if (beyond !== undefined) return beyond
  }
  if (cash === undefined) return undefined
  for (const { acctType, currency, amount } of sumCash(entries)) {
    const beyond = cashBeyond((cash.get(nameOfCash(acctType, currency)) ?? ZERO) + amount)
    if (beyond !== undefined) return beyond
  }
  return undefined
}

/**
 * Lines on top are tried one by one. Lines that need a refold are tried by halves, because their result is
 * computed from the beginning.
 */
async function refuseWhatDoesNotFit(
  work: AccountWork,
  cash: CashOfAccount,
  lines: readonly BookedLine[],
): Promise<RefusedBooking[]> {
  const { books, businessDate, found } = work
  const { onTop, again } = await planLines(work, lines)
  const refused = refuseInOrder({ books, businessDate, kept: found.kept, cash }, onTop)
  const bad = new Set(refused.map(({ booked }) => booked))
  const taken = new Set(onTop.filter((booked) => !bad.has(booked)))
  const takeByHalves = async (some: readonly BookedLine[]): Promise<void> => {
    const [first] = some
    if (first === undefined) return
    const asked = new Set(some)
    const tried = await tryLines(
      work,
      lines.filter((booked) => taken.has(booked) || asked.has(booked)),
    )
    if ('change' in tried) for (const booked of some) taken.add(booked)
    else if (some.length === 1) refused.push({ booked: first, rejection: tried.beyond })
    else {
      const middle = Math.ceil(some.length / 2)
      await takeByHalves(some.slice(0, middle))
      await takeByHalves(some.slice(middle))
    }
  }
  await takeByHalves(again)
  return refused
}

interface LinesPlan {
  readonly links: readonly Link[]
  readonly onTop: readonly BookedLine[]
  /** Securities to fold again, and their lines. */
  readonly linked: ReadonlySet<string>
  readonly again: readonly BookedLine[]
}

const noneNamed = new Map<string, never>()

/** Numbers the lines. Returns the lines that need a refold, and the securities concerned. */
async function planLines(
  { tx, books, found }: AccountWork,
  lines: readonly BookedLine[],
): Promise<LinesPlan> {
  const { accountNumber } = books
  lines.forEach((booked, index) => {
    numberLine(booked, Number(books.lineCount) + index + 1)
  })
  const { securities, links } = planRefold({
    books,
    lines,
    kept: found.kept,
    originals:
      found.originals.length === 0
        ? noneNamed
        : new Map(found.originals.map((original) => [original.line.externalId, original])),
    waiting: found.waiting.length === 0 ? noneNamed : Map.groupBy(found.waiting, ({ tag_no }) => tag_no),
  })
  if (securities.size === 0) return { links, onTop: lines, linked: securities, again: [] }
  const linksBefore = books.hasLinks ? await readLinks(tx, accountNumber) : []
  const linked = closeOverLinks(securities, [...linksBefore, ...links])
  const { again = [], onTop = [] } = Object.groupBy(lines, ({ line }) =>
    keysOf(line).some((key) => linked.has(key)) ? 'again' : 'onTop',
  )
  return { links, onTop, linked, again }
}

async function refoldSecurities(
  { tx, securities, found }: AccountWork,
  change: AccountChange,
  linked: ReadonlySet<string>,
  fresh: readonly BookedLine[],
): Promise<Rejection | undefined> {
  const { accountNumber } = change.books
  const secNos = [...linked]
  const lines = await readLines(tx, accountNumber, { securities: secNos }, securities)
  await securities.learn(secNos.filter((secNo) => secNo !== noSecurity))
  const names = secNos.filter((secNo) => secNo !== noSecurity).map((secNo) => ({ accountNumber, secNo }))
  const originals = originalsElsewhere([...lines, ...fresh].map(({ line }) => line))
  const [holdings, closings, washes, breaks, postings, elsewhere] = await Promise.all([
    readHoldings(tx, names, securities.securityOf),
    readClosings(tx, accountNumber, secNos),
    readWashes(tx, accountNumber, secNos),
    readBreaksOfLines(
      tx,
      accountNumber,
      lines.map(({ line }) => line.externalId),
    ),
    readPostings(tx, accountNumber, linesToCompare(lines, fresh)),
    readLinesElsewhere(tx, change.books, originals),
  ])
  return refold(
    change,
    {
      securities: linked,
      lines,
      holdings: holdings.get(accountNumber) ?? new Map(),
      closings,
      washes,
      breaks,
      postings,
      elsewhere: found.batch.complete(elsewhere, change.books, originals),
    },
    fresh,
  )
}
