/**
 * Changes margin and the option level of an open account, at once or after the approval of a second person. The books
 * are locked, so that a line is booked either before the change, by the former entitlements, or after it, by the new
 * ones (decision 190).
 */
import { changeEntitlements, type FieldChange, hasMargin } from '@clearing/domain'
import { findHeldBeyond } from '@clearing/domain/books'
import { renderDecimal, roundTo, ZERO } from '@clearing/domain/decimal'
import { type Rejection, type Request, reject } from '@clearing/protocol'
import { readInterestOwed } from '../books/margin/read-interest-owed.ts'
import { entitledOf } from '../books/posting/not-entitled.ts'
import { reviewHeld } from '../books/posting/review-held.ts'
import type { Tx } from '../database/transaction.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { type Account, lockAccountRow } from '../store/accounts.ts'
import { lockAccountBooks } from '../store/books/accounts.ts'
import { easternDay } from '../store/books/calendar.ts'
import { readCashHeld, readPositionsHeld } from '../store/books/held-not-entitled.ts'
import { readBusinessDay } from '../store/business-day.ts'
import type { StoredChange } from '../store/changes.ts'
import { readApprovedReferences } from '../store/documents.ts'
import { keepAmendment, type Why } from './amend-record.ts'
import { whyOtherVersion } from './expected-version.ts'
import type { Came } from './update-effect.ts'
import { whyFixed } from './why-fixed.ts'

type Asked = Request<'set-entitlements'>

export interface JudgedEntitlements {
  /** The locked account, still with its former entitlements. */
  readonly account: Account
  readonly amended: Account['record']
  readonly changes: readonly FieldChange[]
}

/** Locks the books and the account. The context is that of the firm concerned. */
export async function judgeEntitlementChange(
  { accountNumber, marginIndicator, optionTradingLevel, expectedVersion }: Asked,
  { tx, firm, keys, now }: FirmContext,
): Promise<JudgedEntitlements | readonly Rejection[]> {
  // The books first, as in a load.
  await lockAccountBooks(tx, [{ accountNumber, firmId: firm.firmId }])
  const account = await lockAccountRow(tx, accountNumber, keys)
  if (account === undefined) throw new Error(`account ${accountNumber} has a head but no row`)
  const fixed = await whyFixed(tx, account, 'accountNumber')
  if (fixed !== undefined) return [fixed]
  const otherVersion = whyOtherVersion(account, expectedVersion)
  if (otherVersion !== undefined) return [otherVersion]
  const asked = {
    marginIndicator: marginIndicator === undefined ? undefined : String(marginIndicator),
    optionTradingLevel,
  }
  const judged = changeEntitlements(account.record, asked, {
    today: easternDay(now),
    onFile: await readApprovedReferences(tx, accountNumber),
  })
  if ('rejections' in judged) return judged.rejections
  const held = [
    ...(await whyHeld(tx, account, judged.amended, now)),
    ...(await whyInterest(tx, account, judged.amended, now)),
  ]
  return held.length > 0 ? held : { account, ...judged }
}

/** Why the account must keep its entitlements for now: its positions and debits. */
async function whyHeld(
  tx: Tx,
  account: Account,
  amended: Account['record'],
  now: Date,
): Promise<Rejection[]> {
  const { accountNumber, record } = account
  const of = ({ main }: Account['record']) =>
    entitledOf({ account_number: accountNumber, registration_type: record.registrationType, main })
  const [before, after] = [of(record), of(amended)]
  if (before === undefined || after === undefined) return []
  const [cash, positions] = await Promise.all([
    readCashHeld(tx, [accountNumber]),
    readPositionsHeld(tx, [accountNumber], now),
  ])
  return findHeldBeyond(before, after, cash.get(accountNumber) ?? [], positions.get(accountNumber) ?? []).map(
    ({ of: what, reason }) =>
      reject('ERR.2048', what === 'margin' ? 'marginIndicator' : 'optionTradingLevel', reason),
  )
}

const moneyPlaces = 2

/** The line that charges the interest is one of account type 2, in which an account without margin holds nothing. */
async function whyInterest(
  tx: Tx,
  { accountNumber, record }: Account,
  amended: Account['record'],
  now: Date,
): Promise<Rejection[]> {
  if (!hasMargin(record.main) || hasMargin(amended.main)) return []
  const refuse = (reason: string) => [reject('ERR.2048', 'marginIndicator', reason)]
  const interest = await readInterestOwed(tx, accountNumber, { now, today: await readBusinessDay(tx, now) })
  if (interest.mayChange)
    return refuse(
      'The margin interest of the account may still change, because of lines since the last close or a close that is under way. Repeat the request after the next close.',
    )
  const owed = roundTo(interest.owed, moneyPlaces)
  if (owed === ZERO) return []
  return refuse(
    owed > ZERO
      ? `The account owes margin interest of ${renderDecimal(owed)}, which no line has charged.`
      : `The account is owed a refund of margin interest of ${renderDecimal(-owed)}, which no line has paid.`,
  )
}

/** Stores the new entitlements. The breaks of holdings without entitlement follow them. */
export async function setNow(
  { account, amended, changes }: JudgedEntitlements,
  why: Why,
  context: FirmContext,
): Promise<Account> {
  const changed = keepAmendment(account, { amended, changes }, context, 'set-entitlements', why)
  await reviewHeld(context.tx, [account.accountNumber], context.now)
  return changed
}

/** The effect of the approval. The second person decides on the record that was shown. */
export async function effectOfEntitlements(
  request: Asked,
  context: FirmContext,
  change: StoredChange,
): Promise<Came> {
  const { expectedVersion: _, ...asked } = request
  const judged = await judgeEntitlementChange(asked, context)
  if (!('account' in judged)) return judged
  if (judged.account.version !== change.version) return 'stale'
  await setNow(judged, { reason: request.reason, requestedBy: change.requested_by }, context)
  return 'made'
}
