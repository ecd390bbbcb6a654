/**
 * What an account statement shows: the value at the last close before the period, as it was known then, the value at
 * the end, the lines that became known between, and the realized gains that did. The cash at the end is the cash at the
 * beginning and the amounts of the lines, and the changes that these lines made in the amounts of earlier lines.
 */
import { addDays, type ConcentrationTier } from '@clearing/domain/market'
import { Rejected } from '../answers.ts'
import { type ValuedAccount, valueView } from '../books/positions/account-positions.ts'
import { chooseView, type View } from '../books/positions/view.ts'
import type { Tx } from '../database/transaction.ts'
import { type MarginInterest, readMarginInterest } from '../store/margin-interest.ts'
import { readLastClosed } from '../store/statements.ts'
import { type BookedLine, readBooked, readChanged, readEffective } from './read-booked.ts'
import { readStatedGains, type StatedGains } from './stated-gains.ts'

export interface Period {
  readonly accountNumber: string
  readonly from: string
  /** A closed business day. */
  readonly to: string
}

/** The knowledge that counts: that at the close of the last day, or all that is known now. */
export interface Knowing {
  readonly now: Date
  readonly knownAt: string
  readonly concentration: readonly ConcentrationTier[]
}

export interface StatementFacts {
  readonly period: Period
  /** Null if no day was closed before the period. */
  readonly before: ValuedAccount | null
  readonly end: ValuedAccount
  readonly lines: readonly BookedLine[]
  readonly gains: StatedGains
  /** What the closes of the period computed. */
  readonly marginInterest: readonly MarginInterest[]
}

export async function readStatementFacts(tx: Tx, period: Period, knowing: Knowing): Promise<StatementFacts> {
  const { accountNumber, from, to } = period
  const view = await viewOf(tx, period, knowing)
  const closed = await readLastClosed(tx, from)
  const { now, concentration } = knowing
  const before =
    closed === undefined ? null : await value(tx, accountNumber, { now, concentration, asOf: closed })
  const end = await value(tx, accountNumber, { ...knowing, asOf: to })
  // The view leaves out what it does not know, and days after its own.
  const dateFrom = addDays(closed ?? addDays(from, -1), 1)
  const booked = { field: 'enteredOn', dateFrom, dateTo: '9999-12-31' } as const
  const trades = await readBooked(tx, accountNumber, view, { ...booked, kind: 'trades' })
  const others = await readBooked(tx, accountNumber, view, { ...booked, kind: 'others' })
  const changed = closed === undefined ? [] : await readChanged(tx, accountNumber, view, closed)
  const effective = closed === undefined ? [] : await readEffective(tx, accountNumber, view, closed)
  return {
    period,
    before,
    end,
    lines: [...trades, ...others, ...changed, ...effective].sort(byTradeDate),
    gains: await readStatedGains(tx, period, view, await viewBefore(tx, accountNumber, closed, now)),
    marginInterest: await readMarginInterest(tx, accountNumber, { from: dateFrom, to }),
  }
}

/** The view of the books at the end of a period. */
export async function viewOf(
  tx: Tx,
  { accountNumber, to }: Pick<Period, 'accountNumber' | 'to'>,
  { knownAt, now }: Pick<Knowing, 'knownAt' | 'now'>,
): Promise<View> {
  const view = await chooseView(tx, accountNumber, { asOf: to, knownAt }, now)
  if (view === undefined || view instanceof Rejected)
    throw new Error(`${to} cannot be viewed as known at ${knownAt}`)
  return view
}

/** The view at the last close before the period; undefined if no day was closed. */
function viewBefore(
  tx: Tx,
  accountNumber: string,
  closed: string | undefined,
  now: Date,
): Promise<View> | undefined {
  if (closed === undefined) return undefined
  return viewOf(tx, { accountNumber, to: closed }, { knownAt: closed, now })
}

async function value(
  tx: Tx,
  accountNumber: string,
  asked: Omit<Knowing, 'knownAt'> & { readonly asOf: string; readonly knownAt?: string },
): Promise<ValuedAccount> {
  const valued = await valueView(tx, accountNumber, asked)
  if (valued === undefined || valued instanceof Rejected)
    throw new Error(`account ${accountNumber} cannot be valued as of ${asked.asOf}`)
  return valued
}

function byTradeDate(a: BookedLine, b: BookedLine): number {
  return a.tradeDate < b.tradeDate ? -1 : a.tradeDate > b.tradeDate ? 1 : 0
}
