/**
 * Changes an account's record for update-account. The whole change is validated and stored, or nothing is
 * stored.
 */
import {
  type AccountRecord,
  amendAccount,
  composeAccountName,
  type FieldChange,
  mailingAddressString,
  maskChange,
  registrationOf,
} from '@clearing/domain'
import type { OperationName, Rejection, Request } from '@clearing/protocol'
import type { FirmContext, Refused as RefusedRequest } from '../firm-rules/context.ts'
import { checkOwnership } from '../firm-rules/ownership.ts'
import { ruleSettings } from '../firm-rules/rule-settings.ts'
import { newCustomerId } from '../ids.ts'
import { readResidenceAtTransfer } from '../onboarding/residence-at-transfer.ts'
import { type Account, amendAccountRecord } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { writeEvent } from '../store/events.ts'
import { queueReview } from '../store/renewals.ts'

/** A change that passed every rule. It is empty if the record already has all the values. */
export interface Amendment {
  readonly amended: AccountRecord
  readonly changes: readonly FieldChange[]
  /** Customer ids of the persons that the change adds, in their order. */
  readonly customerIds: readonly string[]
}

export interface Refused {
  readonly rejections: readonly Rejection[]
}

/** Decides whether changes that pass every rule, and the record that results from them, are the requested ones. */
export type IsEnough = (
  changes: readonly FieldChange[],
  amended: AccountRecord,
) => readonly Rejection[] | Promise<readonly Rejection[]>

/**
 * Merges the blocks of a request into the record of an account, in memory. For a change that was validated
 * before, the new persons keep their customer ids.
 */
export async function judgeAmendment(
  account: Account,
  request: Partial<Request<'update-account'>>,
  context: FirmContext,
  { isEnough = () => [], customerIds = [] }: { isEnough?: IsEnough; customerIds?: readonly string[] } = {},
): Promise<Amendment | Refused> {
  const composed = {
    accountStatus: account.status,
    accountName: account.accountName,
    mailingAddressString: mailingAddressString(account.record.mailingAddress),
  }
  const given: string[] = []
  const nextCustomerId = (): string => {
    const id = customerIds[given.length] ?? newCustomerId()
    given.push(id)
    return id
  }
  const residenceAtTransfer = await readResidenceAtTransfer(context.tx, account)
  const outcome = amendAccount(account.record, composed, request, {
    ...ruleSettings(context),
    residenceAtTransfer,
    nextCustomerId,
  })
  const repCode = request.main?.repCode
  const rejections = [
    ...withoutStored(context.refused, outcome.changes),
    ...('rejections' in outcome ? outcome.rejections : await isEnough(outcome.changes, outcome.amended)),
    ...(await checkOwnership(context, repCode ? { repCode } : {}, 'main.repCode')),
  ]
  if (rejections.length > 0 || 'rejections' in outcome) return { rejections }
  return { amended: outcome.amended, changes: outcome.changes, customerIds: given }
}

/**
 * The rejections of the request without those of values that the record has already: a record of an earlier release
 * can be sent back whole.
 */
function withoutStored(
  { rejections, unlessStored }: RefusedRequest,
  changes: readonly FieldChange[],
): readonly Rejection[] {
  if (unlessStored === undefined || unlessStored.size === 0) return rejections
  const changed = changes.flatMap(({ to }) => textsIn(to))
  const isStored = (words: readonly string[]) =>
    !words.some((word) => changed.some((text) => text.includes(word)))
  return rejections.filter(({ field }) => {
    const words = unlessStored.get(field)
    return words === undefined || !isStored(words)
  })
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Why a change is made, and who asked for it. */
export interface Why {
  readonly reason: string
  /** The person or credential that requested it, if another person approved it. */
  readonly requestedBy?: string
}

/** Stores the change of a locked account with its version, event and audit row. */
export function keepAmendment(
  account: Account,
  amendment: Pick<Amendment, 'amended' | 'changes'>,
  context: FirmContext,
  operation: OperationName,
  { reason, requestedBy = '' }: Why,
): Account {
  const { tx, keys, now, traceId, caller } = context
  const type = registrationOf(amendment.amended.registrationType)
  if (type === undefined) throw new Error(`account ${account.accountNumber} has an unknown registration type`)
  const accountName = composeAccountName(amendment.amended, type)
  const by = { actor: caller.clientId, operation, traceId, reason, requestedBy }
  amendAccountRecord(tx, account, { record: amendment.amended, accountName, at: now, by }, keys)
  const { accountNumber, firmId, status } = account
  if (status === 'Open' || status === 'Restricted') queueReview(tx, { accountNumber, firmId, traceId })
  const changes = amendment.changes.map(maskChange)
  if (accountName !== account.accountName)
    changes.push({ field: 'accountName', from: account.accountName, to: accountName })
  writeEvent(tx, {
    firmId: account.firmId,
    accountNumber: account.accountNumber,
    type: 'account.updated',
    at: now,
    traceId,
    content: { version: account.version + 1, fields: changes.map(({ field }) => field) },
  })
  writeAudit(context, {
    action: operation,
    accountNumber: account.accountNumber,
    changes: reason === '' ? changes : { fields: changes, reason },
  })
  return { ...account, record: amendment.amended, accountName, version: account.version + 1 }
}
