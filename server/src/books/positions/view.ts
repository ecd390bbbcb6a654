/** Which view of an account is asked for: the day it is of, and what is known in it. */
import { addDays } from '@clearing/domain/market'
import { reject } from '@clearing/protocol'
import { Rejected } from '../../answers.ts'
import type { Tx } from '../../database/transaction.ts'
import { selectTermsKnown } from '../../store/books/account-terms.ts'
import { easternDay } from '../../store/books/calendar.ts'
import { type Known, readKnownAt } from '../../store/books/known.ts'
import {
  type AccountRow,
  selectAccount,
  selectNameKnown,
  selectSettledCashOnly,
} from '../../store/books/positions.ts'
import { marketDayOf } from '../../store/business-day.ts'

/** As a request has it; absent: now. */
export interface AskedView {
  readonly asOf?: string | undefined
  /** A day, or `now`. */
  readonly knownAt?: string | undefined
}

export interface View {
  /** With the name and terms that were known. */
  readonly account: AccountRow
  /** The day that the books are looked at: one that is over, or the business date. */
  readonly day: string
  /** Prices until then count. */
  readonly at: Date
  /** What was known; undefined for all that is known now. */
  readonly known: Known | undefined
  /** The day is before the business date. */
  readonly isPast: boolean
  /** All that is held now. */
  readonly isNow: boolean
}

/**
 * Of a day that was closed here, what was known at its close; of others, what is known now; of any, with `knownAt`, what was known at the
 * close of that day. Undefined when there is no such account in the caller's sight.
 */
export async function chooseView(
  tx: Tx,
  accountNumber: string,
  { asOf, knownAt }: AskedView,
  now: Date,
): Promise<View | Rejected | undefined> {
  const account = await tx.row(selectAccount, [accountNumber, marketDayOf(now)])
  if (account === undefined) return undefined
  const { business_date: today } = account
  const past = asOf === undefined || asOf >= today ? undefined : asOf
  const day = knownAt ?? past
  const found = day === undefined ? null : await knownBy(tx, accountNumber, day, today)
  if (found === undefined && knownAt !== undefined) return new Rejected([neverClosed])
  const known = found ?? undefined
  const at = past === undefined ? now : endOfDay(past)
  const restricted = await tx.row(selectSettledCashOnly, [accountNumber, known?.startedAt ?? at])
  return {
    account: {
      ...(known === undefined ? account : await asKnown(tx, account, accountNumber, known)),
      ...restricted,
    },
    day: past ?? today,
    at,
    known,
    isPast: past !== undefined,
    isNow: past === undefined && known === undefined,
  }
}

/** Of `knownAt`: everything that has come until now. */
export const knowsAll = 'now'
export const neverClosed = reject(
  'ERR.1015',
  'knownAt',
  'knownAt must be now, or a day that was closed here.',
)

/** Null for all that is known now; undefined of a day that was not closed. */
async function knownBy(
  tx: Tx,
  accountNumber: string,
  day: string,
  today: string,
): Promise<Known | null | undefined> {
  return day === knowsAll || day >= today ? null : readKnownAt(tx, accountNumber, day)
}

async function asKnown(
  tx: Tx,
  account: AccountRow,
  accountNumber: string,
  { on, startedAt }: Known,
): Promise<AccountRow> {
  const [name, terms] = await Promise.all([
    tx.row(selectNameKnown, [accountNumber, on, startedAt]),
    tx.row(selectTermsKnown, [accountNumber, on]),
  ])
  return { ...account, ...name, ...terms }
}

/** The last moment of a day in New York. */
function endOfDay(day: string): Date {
  const next = addDays(day, 1)
  const inWinter = easternDay(new Date(`${next}T04:30:00Z`)) === day
  return new Date(new Date(`${next}T0${inWinter ? 5 : 4}:00:00Z`).getTime() - 1)
}
