/** The view of an account that a request asks for: its day, and the knowledge that counts. */
import { reject } from '@clearing/protocol'
import { Rejected } from '../../answers.ts'
import type { Tx } from '../../database/transaction.ts'
import { selectTermsKnown } from '../../store/books/account-terms.ts'
import { endOfEasternDay } from '../../store/books/calendar.ts'
import { type Known, readKnownAt } from '../../store/books/known.ts'
import {
  type AccountRow,
  readSettingsOn,
  selectAccount,
  selectNameKnown,
  selectRestrictionsAt,
} from '../../store/books/positions.ts'
import { marketDayOf } from '../../store/business-day.ts'

/** The day as the request has it; absent means now. */
export interface AskedView {
  readonly asOf?: string | undefined
  /** A day, or `now`. */
  readonly knownAt?: string | undefined
}

export interface View {
  /** With the name and terms known in the view. */
  readonly account: AccountRow
  /** The day of the view: a past day, or the business date. */
  readonly day: string
  /** The latest time of prices. */
  readonly at: Date
  /** The day whose knowledge counts. Undefined for all that is known now. */
  readonly known: Known | undefined
  /** True if the day is before the business date. */
  readonly isPast: boolean
  /** The view of everything known now. */
  readonly isNow: boolean
}

/**
 * For a day that was closed here, the facts known at its close. For other days, the facts known now. With
 * `knownAt`, the facts known at the close of that day. Undefined when the caller may not see an account with
 * this number.
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
  if (isAhead(knownAt, today, now)) return new Rejected([neverClosed])
  const past = asOf === undefined || asOf >= today ? undefined : asOf
  const day = knownAt ?? past
  const found = day === undefined ? null : await knownBy(tx, accountNumber, day, today)
  if (found === undefined && knownAt !== undefined) return new Rejected([neverClosed])
  const known = found ?? undefined
  const at = past === undefined ? now : endOfEasternDay(past)
  const restricted = await tx.row(selectRestrictionsAt, [accountNumber, known?.startedAt ?? at])
  const settings = await readSettings(tx, accountNumber, past, known)
  return {
    account: {
      ...(known === undefined ? account : await asKnown(tx, account, accountNumber, known)),
      ...restricted,
      ...settings,
    },
    day: past ?? today,
    at,
    known,
    isPast: past !== undefined,
    isNow: past === undefined && known === undefined,
  }
}

/** The value of `knownAt` for everything known now. */
export const knowsAll = 'now'
export const neverClosed = reject(
  'ERR.1015',
  'knownAt',
  'knownAt must be now, the open business date, or an earlier day that was closed here.',
)

/**
 * The last day of a view: nothing is known of a day after the business date. On a day without a market the
 * business date may be before or after today's date, which a caller may send too.
 */
export function isAhead(knownAt: string | undefined, businessDate: string, now: Date): boolean {
  if (knownAt === undefined || knownAt === knowsAll) return false
  return knownAt > businessDate && knownAt > now.toISOString().slice(0, 10)
}

/** Null for everything known now. Undefined for a day that was not closed. */
async function knownBy(
  tx: Tx,
  accountNumber: string,
  day: string,
  today: string,
): Promise<Known | null | undefined> {
  return day === knowsAll || day >= today ? null : readKnownAt(tx, accountNumber, day)
}

/** Settings such as margin are those of the end of the day. They cannot be entered for an earlier day. */
async function readSettings(
  tx: Tx,
  accountNumber: string,
  past: string | undefined,
  known: Known | undefined,
): Promise<Pick<AccountRow, 'main'> | undefined> {
  const [day] = [past, known?.on].filter((one) => one !== undefined).sort()
  return day === undefined ? undefined : readSettingsOn(tx, accountNumber, day)
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
