/**
 * Changes that wait for approval and take effect after it. A person's request is stored as a change if its
 * subject needs a second person. The request of any caller is stored if the firm's setting demands it, or if
 * it waits for matches on a watch list.
 */
import type { ApprovalSubject, FieldChange } from '@clearing/domain'
import { maskChange } from '@clearing/domain'
import type { FirmContext } from '../firm-rules/context.ts'
import { newId } from '../ids.ts'
import { writeAudit } from '../store/audit.ts'
import { type ChangedField, type StoredChange, writeChange } from '../store/changes.ts'
import { writeEvent } from '../store/events.ts'

/**
 * The given subjects that need a second person for this caller. The context is that of the firm concerned.
 */
export function subjectsToApprove(
  context: Pick<FirmContext, 'caller' | 'firm'>,
  subjects: readonly ApprovalSubject[],
): ApprovalSubject[] {
  if (context.caller.person !== undefined) return [...subjects]
  const demanded: ReadonlySet<string> = new Set(context.firm.settings.changesNeedingApproval)
  return subjects.filter((subject) => demanded.has(subject))
}

export interface AskedChange {
  /** The id of the change, if the caller has stored it already. */
  readonly changeId?: string
  readonly operation: string
  /** Empty if the change concerns no account. */
  readonly accountNumber: string
  readonly subjects: readonly ApprovalSubject[]
  readonly request: unknown
  readonly fields: readonly ChangedField[]
  readonly version?: number
  readonly reason: string
  /** False if the change waits only for matches. */
  readonly approvalNeeded?: boolean
  readonly customerIds?: readonly string[]
  /** The matches for which the change waits. */
  readonly openMatches?: number
}

/** Stores the change. The context is that of the firm concerned. */
export function askForChange(context: FirmContext, asked: AskedChange): StoredChange {
  const { tx, firm, keys, caller, now, traceId } = context
  const { changeId = newId(now), operation, accountNumber, subjects } = asked
  const { fields, reason, version = null } = asked
  const { approvalNeeded = true, customerIds = null, openMatches = 0 } = asked
  const common = {
    changeId,
    firmId: firm.firmId,
    accountNumber,
    operation,
    subjects,
    fields,
    reason,
    version,
    approvalNeeded,
    customerIds,
  }
  writeChange(tx, { ...common, request: asked.request, by: caller.clientId, at: now, traceId }, keys)
  if (accountNumber !== '') {
    const content = { changeId, operation, subjects }
    writeEvent(tx, {
      firmId: firm.firmId,
      accountNumber,
      type: 'change.requested',
      at: now,
      traceId,
      content,
    })
  }
  writeAudit(context, {
    action: 'request-change',
    target: changeId,
    ...(accountNumber === '' ? {} : { accountNumber }),
    changes: { operation, subjects, fields, reason, openMatches },
  })
  return {
    change_id: changeId,
    firm_id: firm.firmId,
    firm_name: firm.name,
    account_number: accountNumber,
    operation,
    subjects: [...subjects],
    state: 'Requested',
    fields: [...fields],
    version,
    reason,
    requested_by: caller.clientId,
    requested_at: now.toISOString(),
    decided_by: null,
    decided_at: null,
    decision_reason: null,
    approval_needed: approvalNeeded,
    approved_by: null,
    approved_at: null,
    approval_reason: null,
    customer_ids: customerIds === null ? null : [...customerIds],
    open_matches: openMatches,
  }
}

/** The changed fields of a record as texts, with personal numbers masked. */
export function changedFields(changes: readonly FieldChange[]): ChangedField[] {
  return changes
    .map(maskChange)
    .map(({ field, from, to }) => ({ field, before: asText(from), after: asText(to) }))
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.map(asText).join(', ')
  return Object.entries(value)
    .filter(([, inner]) => inner !== '' && inner !== undefined)
    .map(([name, inner]) => `${name} ${asText(inner)}`)
    .join('; ')
}
