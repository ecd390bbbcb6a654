/**
 * Places and ends restrictions and closes accounts, at once for credentials of operations, or after the approval of a
 * second person.
 */
import { type CodeOf, type Data, type Rejection, reject, suspendedBy } from '@clearing/protocol'
import { lift, putInForce, type Restricted, type Restricting } from '../firm-rules/restriction.ts'
import { parseUuid } from '../ids.ts'
import { moveAccountStatus } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { lockAccountBooks } from '../store/books/accounts.ts'
import { readExpected } from '../store/books/announced-entitlements.ts'
import { readBusinessDay } from '../store/business-day.ts'
import { writeEvent } from '../store/events.ts'
import {
  holdsSomething,
  lockAccountStatus,
  type Restriction,
  readRestriction,
  readRestrictionsInForce,
} from '../store/restrictions.ts'

export interface PlaceRequest {
  readonly accountNumber: string
  readonly restrictionCode: string
  readonly reason: string
}
export interface EndRequest {
  readonly accountNumber: string
  readonly restrictionId: string
  readonly reason: string
}
export interface CloseRequest {
  readonly accountNumber: string
  readonly reason: string
}

export type { Restricting }

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

export async function checkClosing(
  { tx, firm, now }: Restricting,
  { accountNumber }: CloseRequest,
): Promise<Rejection | undefined> {
  // The books are locked first, as in a load. The check then sees a line that is being posted, and the next
  // line finds the account closed.
  await lockAccountBooks(tx, [{ accountNumber, firmId: firm.firmId }])
  const account = await lockAccountStatus(tx, accountNumber)
  if (account === undefined) return notFound
  if (account.status !== 'Open') return wrongStatus(account.status)
  if (await holdsSomething(tx, accountNumber)) {
    const reason = 'The account holds positions, cash or activity that has not settled.'
    return reject('ERR.2011', 'accountNumber', reason)
  }
  const expected = await readExpected(tx, accountNumber, await readBusinessDay(tx, now))
  if (expected === undefined) return undefined
  const { externalId, bookOn } = expected
  const reason = `The account is entitled to the corporate action ${externalId}, whose lines of ${bookOn} are not booked.`
  return reject('ERR.2011', 'accountNumber', reason)
}

export async function placeNow(request: PlaceRequest, context: Restricting): Promise<Restricted | Rejection> {
  const status = await checkPlacing(context, request)
  if (typeof status !== 'string') return status
  const { accountNumber, restrictionCode: code, reason } = request
  return putInForce(context, { accountNumber, code, reason })
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

export async function closeNow(request: CloseRequest, context: Restricting): Promise<Restricted | Rejection> {
  const refused = await checkClosing(context, request)
  if (refused !== undefined) return refused
  const { tx, now, traceId, firm, caller } = context
  const { accountNumber, reason } = request
  const by = { actor: caller.clientId, operation: 'close-account', traceId }
  await moveAccountStatus(tx, accountNumber, { from: 'Open', to: 'Closed' }, now, by)
  const content = { accountStatus: 'Closed' }
  writeEvent(tx, { firmId: firm.firmId, accountNumber, type: 'account.closed', at: now, traceId, content })
  writeAudit(context, { action: 'close-account', accountNumber, changes: { reason } })
  return { accountStatus: 'Closed', restriction: null }
}

const notFound = reject('ERR.2003', 'accountNumber', 'There is no account with this number.')
function wrongStatus(status: string): Rejection {
  return reject('ERR.2011', 'accountNumber', `The account is ${status}.`)
}

export function renderRestriction(row: Restriction): Data<'list-restrictions'>['restrictions'][number] {
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
  }
}
