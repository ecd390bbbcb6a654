/** A change of an account's record as update-account makes it: judged whole, then stored, or nothing. */
import {
  amendAccount,
  composeAccountName,
  type FieldChange,
  mailingAddressString,
  maskChange,
  registrationOf,
} from '@clearing/domain'
import type { OperationName, Rejection, Request } from '@clearing/protocol'
import type { Context } from '../context.ts'
import { newCustomerId } from '../ids.ts'
import { type Account, amendAccountRecord } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { writeEvent } from '../store/events.ts'
import { checkOwnership } from './ownership.ts'
import { ruleSettings } from './rule-settings.ts'

export interface Amended {
  readonly account: Account
  readonly changes: readonly FieldChange[]
}

/**
 * Merges the blocks sent into the record of a locked account; `isEnough` may refuse changes that pass every rule, and changes of which
 * `waits` says so are judged but not made.
 */
export const amendRecord = async (
  account: Account,
  request: Partial<Request<'update-account'>>,
  context: Context,
  operation: OperationName,
  isEnough: (changes: readonly FieldChange[]) => readonly Rejection[] = () => [],
  waits: (changes: readonly FieldChange[]) => boolean = () => false,
): Promise<Amended | { readonly rejections: readonly Rejection[] }> => {
  const composed = {
    accountStatus: account.status,
    accountName: account.accountName,
    mailingAddressString: mailingAddressString(account.record.mailingAddress),
  }
  const outcome = amendAccount(account.record, composed, request, {
    ...ruleSettings(context),
    nextCustomerId: newCustomerId,
  })
  const repCode = request.main?.repCode
  const rejections = [
    ...context.refused.rejections,
    ...('rejections' in outcome ? outcome.rejections : isEnough(outcome.changes)),
    ...(await checkOwnership(context, repCode ? { repCode } : {}, 'main.repCode')),
  ]
  if (rejections.length > 0 || 'rejections' in outcome) return { rejections }
  if (outcome.changes.length === 0) return { account, changes: [] }
  if (waits(outcome.changes)) return { account, changes: [] }
  return { account: keepAmendment(account, outcome, context, operation), changes: outcome.changes }
}

const keepAmendment = (
  account: Account,
  amendment: { amended: Account['record']; changes: readonly FieldChange[] },
  context: Context,
  operation: OperationName,
): Account => {
  const { tx, keys, now, traceId, caller } = context
  const type = registrationOf(amendment.amended.registrationType)
  if (type === undefined) throw new Error(`account ${account.accountNumber} has an unknown registration type`)
  const accountName = composeAccountName(amendment.amended, type)
  const by = { actor: caller.clientId, operation, traceId }
  amendAccountRecord(tx, account, { record: amendment.amended, accountName, at: now, by }, keys)
  const changes = amendment.changes.map(maskChange)
  writeEvent(tx, {
    firmId: account.firmId,
    accountNumber: account.accountNumber,
    type: 'account.updated',
    at: now,
    traceId,
    content: { version: account.version + 1, fields: changes.map(({ field }) => field) },
  })
  writeAudit(context, { action: operation, accountNumber: account.accountNumber, changes })
  return { ...account, record: amendment.amended, accountName, version: account.version + 1 }
}
