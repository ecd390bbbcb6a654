/**
 * Places and lifts a restriction, with the account's status, event, audit row and change. The account is
 * locked.
 */
import { temporaryHoldCode } from '@clearing/domain'
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
import { writeHoldEnd } from '../store/temporary-holds.ts'

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
  placed: {
    readonly accountNumber: string
    readonly code: string
    readonly reason: string
    /** Of a temporary hold: why a person is a specified adult, and its last day. */
    readonly hold?: { readonly ground: string; readonly expiresOn: string }
  },
): Promise<Restricted & { readonly restriction: Restriction }> {
  const { tx, now, caller, firm } = context
  const { accountNumber, code, reason, hold } = placed
  const restrictionId = newId(now)
  const row = {
    accountNumber,
    code,
    reason,
    restrictionId,
    firmId: firm.firmId,
    by: caller.clientId,
    at: now,
  }
  const restriction = await writeRestriction(tx, row)
  await move(context, accountNumber, 'Open', 'Restricted')
  writeRestrictionEvent(context, restriction, { accountStatus: 'Restricted', expiresOn: hold?.expiresOn })
  const changes = { code, reason, ...hold }
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
  if (restriction.code === temporaryHoldCode) writeHoldEnd(tx, accountNumber, restrictionId, now)
  writeRestrictionEvent(context, restriction, { accountStatus })
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

/** `expiresOn` is the last day of a temporary hold that is in force. */
export function writeRestrictionEvent(
  { tx, now, traceId }: Restricting,
  restriction: Restriction,
  { accountStatus, expiresOn }: { readonly accountStatus: string; readonly expiresOn?: string | undefined },
): void {
  const { restriction_id: restrictionId, account_number: accountNumber, firm_id: firmId, code } = restriction
  const inForce = restriction.ended_at === null
  const content = { restrictionId, code, inForce, accountStatus, ...(expiresOn && { expiresOn }) }
  writeEvent(tx, { firmId, accountNumber, type: 'account.restricted', at: now, traceId, content })
}
