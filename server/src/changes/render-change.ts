/** A change in the form of responses. */
import type { Data } from '@clearing/protocol'
import type { StoredChange } from '../store/changes.ts'

export function renderChange(change: StoredChange): Data<'decide-change'> {
  return {
    changeId: change.change_id,
    firmId: change.firm_id,
    firmName: change.firm_name,
    accountNumber: change.account_number,
    operation: change.operation,
    subjects: [...change.subjects],
    state: change.state,
    fields: change.fields.map(({ field, before, after }) => ({ field, before, after })),
    reason: change.reason,
    requestedBy: change.requested_by,
    requestedOn: change.requested_at,
    decidedBy: change.decided_by ?? '',
    decidedOn: change.decided_at,
    decisionReason: change.decision_reason ?? '',
    approvalNeeded: change.approval_needed,
    approvedBy: change.approved_by ?? '',
    approvedOn: change.approved_at,
    openMatches: change.open_matches,
    version: change.version,
  }
}
