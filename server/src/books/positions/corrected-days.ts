/** Closed days of an account beside what they would be today: a day is compared as it was known at its close and as it is known now. */
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

/** The closed days that are looked at: not before a day, and closed since the account was opened. What it held before moved in with it. */
export interface Since {
  readonly from: string
  readonly openedAt: string
}

/** The last day that was closed until a day; undefined without any. */
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

/** What a closed day is corrected by; undefined when nothing of it is other than it was. */
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
