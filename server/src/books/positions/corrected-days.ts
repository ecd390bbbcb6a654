/** Closed days of an account compared with their current values: each day as known at its close and as known now. */
import { addDays } from '@clearing/domain/market'
import { Rejected } from '../../answers.ts'
import type { Tx } from '../../database/transaction.ts'
import { type LateLine, readLateLines } from '../../store/books/corrections.ts'
import { type Known, readKnownAt } from '../../store/books/known.ts'
import { type ValuedAccount, valueView } from './account-positions.ts'
import { knowsAll } from './view.ts'

export interface CorrectedDay {
  readonly date: string
  readonly lines: readonly LateLine[]
  readonly atClose: ValuedAccount['summary']
  readonly now: ValuedAccount['summary']
}

/**
 * The closed days to compare: from a given day on, and closed after the account was opened. Earlier history
 * was transferred in with the account.
 */
export interface Since {
  readonly from: string
  readonly openedAt: string
}

/** The last day closed on or before a day. Undefined if there is none. */
export async function findClosedDay(
  tx: Tx,
  accountNumber: string,
  until: string,
  { from, openedAt }: Since,
): Promise<Known | undefined> {
  const known = await readKnownAt(tx, accountNumber, until)
  if (known === undefined || known.on < from) return undefined
  return Date.parse(known.startedAt) < Date.parse(openedAt) ? undefined : known
}

/** The corrections of a closed day. Undefined if nothing changed. */
export async function compareClosedDay(
  tx: Tx,
  accountNumber: string,
  known: Known,
  now: Date,
): Promise<CorrectedDay | undefined> {
  const date = known.on
  const before = await readKnownAt(tx, accountNumber, addDays(date, -1))
  const late = { after: before?.on ?? null, day: date, lines: known.lines }
  const lines = await readLateLines(tx, accountNumber, late)
  const atClose = await summaryOf(tx, accountNumber, { asOf: date, knownAt: date, now })
  const today = await summaryOf(tx, accountNumber, { asOf: date, knownAt: knowsAll, now })
  const isSame =
    lines.length === 0 &&
    atClose.totalCash === today.totalCash &&
    atClose.totalAccountValue === today.totalAccountValue
  return isSame ? undefined : { date, lines, atClose, now: today }
}

async function summaryOf(
  tx: Tx,
  accountNumber: string,
  asked: { readonly asOf: string; readonly knownAt: string; readonly now: Date },
): Promise<ValuedAccount['summary']> {
  const valued = await valueView(tx, accountNumber, asked)
  if (valued === undefined || valued instanceof Rejected)
    throw new Error(`the closed day ${asked.asOf} of ${accountNumber} cannot be read`)
  return valued.summary
}
