/**
 * Places and ends restrictions, at once for credentials of operations, or after the approval of a second person.
 */
import { temporaryHoldCode } from '@clearing/domain'
import { type CodeOf, type Data, type Rejection, reject, suspendedBy } from '@clearing/protocol'
import { raiseSuspendedAhead } from '../books/posting/suspended-ahead.ts'
import type { Tx } from '../database/transaction.ts'
import { lift, putInForce, type Restricted, type Restricting } from '../firm-rules/restriction.ts'
import { parseUuid } from '../ids.ts'
import { lockOpenBooks } from '../store/books/accounts.ts'
import {
  lockAccountStatus,
  type Restriction,
  readRestriction,
  readRestrictionsInForce,
} from '../store/restrictions.ts'
import { readHolds, type TemporaryHold } from '../store/temporary-holds.ts'

export interface PlaceRequest {
  readonly accountNumber: string
  readonly restrictionCode: string
  readonly reason: string
  /** Of a temporary hold, as the request states it. */
  readonly holdGround?: string
}
export interface EndRequest {
  readonly accountNumber: string
  readonly restrictionId: string
  readonly reason: string
}

/**
 * Locks the account. Returns its status, or why it cannot be restricted. The check also precedes a request for
 * approval.
 */
export async function checkPlacing({ tx }: Restricting, request: PlaceRequest): Promise<Rejection | string> {
  const account = await lockAccountStatus(tx, request.accountNumber)
  if (account === undefined) return notFound
  if (account.status !== 'Open' && account.status !== 'Restricted') return wrongStatus(account.status)
  const inForce = await readRestrictionsInForce(tx, request.accountNumber)
  return inForce.some(({ code }) => code === request.restrictionCode)
    ? reject('ERR.2010', 'restrictionCode', 'A restriction with this code is in force already.')
    : account.status
}

export async function checkEnding(
  { tx }: Restricting,
  request: EndRequest,
): Promise<Rejection | Restriction> {
  if ((await lockAccountStatus(tx, request.accountNumber)) === undefined) return notFound
  const id = parseUuid(request.restrictionId)
  const found = id === undefined ? undefined : await readRestriction(tx, request.accountNumber, id)
  if (found === undefined) return reject('ERR.2013', 'restrictionId', 'The account has no such restriction.')
  return found.ended_at === null
    ? found
    : reject(
        'ERR.2010',
        'restrictionId',
        `The restriction was ended by ${found.ended_by} on ${found.ended_at}.`,
      )
}

/** `hold` has the ground and the last day of a temporary hold. */
export async function placeNow(
  request: PlaceRequest,
  context: Restricting,
  hold?: { readonly ground: string; readonly expiresOn: string },
): Promise<Restricted | Rejection> {
  // A batch that is being booked does not see the restriction: its lines are waited for. The books are locked before
  // the account, as when an account is closed.
  await lockOpenBooks(context.tx, request.accountNumber)
  const status = await checkPlacing(context, request)
  if (typeof status !== 'string') return status
  const { accountNumber, restrictionCode: code, reason } = request
  const placed = await putInForce(context, { accountNumber, code, reason, ...(hold && { hold }) })
  await raiseSuspendedAhead(context.tx, placed.restriction, context.now)
  return placed
}

export async function endNow(request: EndRequest, context: Restricting): Promise<Restricted | Rejection> {
  const found = await checkEnding(context, request)
  if (!('restriction_id' in found)) return found
  const { accountNumber, reason } = request
  const ended = await lift(context, { accountNumber, restrictionId: found.restriction_id, reason })
  if (ended === undefined)
    throw new Error(`restriction ${found.restriction_id} was ended although it is locked`)
  return ended
}

export const notFound = reject('ERR.2003', 'accountNumber', 'There is no account with this number.')
export function wrongStatus(status: string): Rejection {
  return reject('ERR.2011', 'accountNumber', `The account is ${status}.`)
}

export async function renderRestrictions(tx: Tx, rows: readonly Restriction[]): Promise<Rendered[]> {
  const holds = await readHolds(
    tx,
    rows.filter(({ code }) => code === temporaryHoldCode),
  )
  return rows.map((row) => {
    const hold = holds.find(({ restriction_id: id }) => id === row.restriction_id)
    return renderRestriction(row, hold)
  })
}

/** A restriction with its temporary hold. */
export async function renderOne(tx: Tx, row: Restriction | null): Promise<Rendered | null> {
  return row === null ? null : ((await renderRestrictions(tx, [row]))[0] ?? null)
}

type Rendered = Data<'list-restrictions'>['restrictions'][number]

function renderRestriction(row: Restriction, hold: TemporaryHold | undefined): Rendered {
  return {
    restrictionId: row.restriction_id,
    accountNumber: row.account_number,
    firmId: row.firm_id,
    restrictionCode: row.code,
    reason: row.reason,
    suspends: [...(suspendedBy[row.code as CodeOf<'restrictionCode'>] ?? [])],
    placedBy: row.placed_by,
    placedOn: row.placed_at,
    endedBy: row.ended_by ?? '',
    endedOn: row.ended_at,
    endReason: row.end_reason ?? '',
    hold: hold === undefined ? null : renderHold(hold),
  }
}

function renderHold(hold: TemporaryHold): NonNullable<Rendered['hold']> {
  return {
    ground: hold.ground,
    expiresOn: hold.expires_on,
    notifyBy: hold.notify_by,
    notifiedOn: hold.notified_at,
    steps: hold.steps.map(({ step, expiresOn, reason, by, at }) => {
      return { step, expiresOn, reason, recordedBy: by, recordedOn: at }
    }),
  }
}
