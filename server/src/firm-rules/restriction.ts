/**
 * Places and lifts a restriction, with the account's status, event, audit row and change. The account is
 * locked.
 */

import type { Tx } from '../database/transaction.ts'
import { newId } from '../ids.ts'
import { moveAccountStatus } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { writeEvent } from '../store/events.ts'
import {
  type Restriction,
  readRestrictionsInForce,
  writeRestriction,
  writeRestrictionEnd,
} from '../store/restrictions.ts'

/** The actor and the time. The firm is that of the account. */
export interface Restricting {
  readonly tx: Tx
  readonly now: Date
  readonly firm: { readonly firmId: string }
  readonly caller: { readonly clientId: string }
  readonly traceId: string
}

/** The result. */
export interface Restricted {
  readonly accountStatus: string
  readonly restriction: Restriction | null
}

export async function putInForce(
  context: Restricting,
  placed: { readonly accountNumber: string; readonly code: string; readonly reason: string },
): Promise<Restricted & { readonly restriction: Restriction }> {
  const { tx, now, caller, firm } = context
  const { accountNumber, code, reason } = placed
  const restrictionId = newId(now)
  const row = { ...placed, restrictionId, firmId: firm.firmId, by: caller.clientId, at: now }
  const restriction = await writeRestriction(tx, row)
  await move(context, accountNumber, 'Open', 'Restricted')
  writeRestrictionEvent(context, restriction, true, 'Restricted')
  const changes = { code, reason }
  writeAudit(context, { action: 'place-restriction', accountNumber, target: restrictionId, changes })
  return { accountStatus: 'Restricted', restriction }
}

/** Undefined when the restriction had already ended. */
export async function lift(
  context: Restricting,
  ended: { readonly accountNumber: string; readonly restrictionId: string; readonly reason: string },
): Promise<Restricted | undefined> {
  const { tx, now, caller } = context
  const { accountNumber, restrictionId, reason } = ended
  const restriction = await writeRestrictionEnd(tx, accountNumber, restrictionId, {
    by: caller.clientId,
    at: now,
    reason,
  })
  if (restriction === undefined) return undefined
  const accountStatus =
    (await readRestrictionsInForce(tx, accountNumber)).length === 0 ? 'Open' : 'Restricted'
  if (accountStatus === 'Open') await move(context, accountNumber, 'Restricted', 'Open')
  writeRestrictionEvent(context, restriction, false, accountStatus)
  const changes = { code: restriction.code, reason }
  writeAudit(context, { action: 'end-restriction', accountNumber, target: restrictionId, changes })
  return { accountStatus, restriction }
}

async function move(
  { tx, now, caller, traceId }: Restricting,
  accountNumber: string,
  from: 'Open' | 'Restricted',
  to: 'Open' | 'Restricted',
): Promise<void> {
  const operation = to === 'Restricted' ? 'place-restriction' : 'end-restriction'
  await moveAccountStatus(tx, accountNumber, { from, to }, now, {
    actor: caller.clientId,
    operation,
    traceId,
  })
}

function writeRestrictionEvent(
  context: Restricting,
  restriction: Restriction,
  inForce: boolean,
  accountStatus: string,
): void {
  const { tx, now, traceId } = context
  const { restriction_id: restrictionId, account_number: accountNumber, firm_id: firmId, code } = restriction
  const content = { restrictionId, code, inForce, accountStatus }
  writeEvent(tx, { firmId, accountNumber, type: 'account.restricted', at: now, traceId, content })
}
