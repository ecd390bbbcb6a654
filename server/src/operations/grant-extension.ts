/** grant-extension: extends the time to meet a call. The reason is recorded in the audit trail. */
import { type CallKind, extended, refuseExtension } from '@clearing/domain/market'
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { Tx } from '../database/transaction.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { writeAudit } from '../store/audit.ts'
import { holdBusinessDay, readBusinessDay } from '../store/business-day.ts'
import { extensionsOf, readExtensions, writeExtension } from '../store/call-extensions.ts'
import { readCashLedgerUntil } from '../store/cash-ledger.ts'
import { writeEvent } from '../store/events.ts'
import { readOpenCallDue } from '../store/margin-calls.ts'
import { lockAccountStatus } from '../store/restrictions.ts'
import type { Handler } from './context.ts'

export const grantExtension: Handler<'grant-extension'> = async (request, context) => {
  const { tx, now, caller, traceId } = context
  const { accountNumber, issuedOn, until, reason } = request
  const kind = request.kind as CallKind
  holdBusinessDay(tx)
  const today = await readBusinessDay(tx, now)
  const account = await lockAccountStatus(tx, accountNumber)
  if (account === undefined) return accountNotFound(context.firm)
  const firstDue = await findDueDay(tx, accountNumber, kind, issuedOn)
  if (firstDue === undefined)
    return new Rejected([
      reject('ERR.2013', 'issuedOn', 'The account has no open call of this kind and day.'),
    ])
  const call = { accountNumber, kind, issuedOn }
  const granted = extensionsOf(await readExtensions(tx, [accountNumber], null), call)
  const dueBy = extended(firstDue, granted)
  const refused = refuseExtension({ kind, dueBy }, until, today)
  if (refused !== undefined) return new Rejected([reject('ERR.1015', 'until', refused)])
  const firmId = account.firm_id
  const by = { grantedBy: caller.clientId, grantedAt: now.toISOString() }
  writeExtension(tx, { ...call, until, dueBy, reason, ...by, firmId, enteredOn: today })
  const changes = { kind, issuedOn, dueBy, until, reason }
  writeAudit(context, { action: 'grant-extension', accountNumber, firmId, changes })
  const content = { kind, issuedOn, dueBy: until }
  writeEvent(tx, { firmId, accountNumber, type: 'call.extended', at: now, traceId, content })
  return { ...call, dueBy: until, extensions: granted.length + 1 }
}

/**
 * The due date of an open call. The period of an unpaid purchase in the cash account can be extended before it ends.
 */
async function findDueDay(
  tx: Tx,
  accountNumber: string,
  kind: CallKind,
  issuedOn: string,
): Promise<string | undefined> {
  if (kind !== 'Cash') return readOpenCallDue(tx, accountNumber, kind, issuedOn)
  const ledger = await readCashLedgerUntil(tx, accountNumber, null)
  return ledger?.unpaid.find(({ period }) => period === issuedOn)?.dueOn
}
