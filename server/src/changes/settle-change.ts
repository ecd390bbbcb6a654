/** Ends a change: stores the decision with its person and reason, and ends the matches that waited only for it. */
import type { Rejection } from '@clearing/protocol'
import type { FirmContext } from '../firm-rules/context.ts'
import { writeAudit } from '../store/audit.ts'
import { lockChangeRow, type StoredChange, writeDecision } from '../store/changes.ts'
import { writeEvent } from '../store/events.ts'
import { isOpenMatch, readMatches, writeClearanceEnded, writeMatchesDropped } from '../store/screening.ts'

export type Settlement = {
  /** The person who decided; `service` if a decision on a match ended the change. */
  readonly by: string
  readonly reason: string
} & (
  | { readonly state: 'Approved' }
  /** `reviewGoesOn`: the open matches of the change are decided on nevertheless. */
  | { readonly state: 'Withdrawn'; readonly reviewGoesOn?: boolean }
  | { readonly state: 'Rejected'; readonly outcome: 'Refused' | 'Ended' }
  | {
      readonly state: 'Rejected'
      readonly outcome: 'Stale' | 'Invalid'
      readonly errors: readonly Rejection[]
    }
)

export async function settleChange(
  context: FirmContext,
  change: StoredChange,
  settlement: Settlement,
): Promise<StoredChange> {
  const { state, by, reason } = settlement
  const reviewGoesOn = state === 'Withdrawn' && settlement.reviewGoesOn === true
  const { tx, now, traceId } = context
  const { change_id: changeId, firm_id: firmId, account_number: accountNumber, operation, subjects } = change
  if (!(await writeDecision(tx, changeId, { state, by, at: now, reason })))
    throw new Error(`change ${changeId} was decided although it is locked`)
  if (accountNumber !== '') {
    const type = state === 'Approved' ? 'change.approved' : 'change.rejected'
    writeEvent(tx, {
      firmId,
      accountNumber,
      type,
      at: now,
      traceId,
      content: { changeId, operation, subjects, ...outcomeOf(settlement) },
    })
  }
  writeAudit(context, {
    action: state === 'Withdrawn' ? 'withdraw-change' : 'decide-change',
    firmId,
    target: changeId,
    ...(accountNumber === '' ? {} : { accountNumber }),
    changes: { operation, state, requestedBy: change.requested_by, decidedBy: by, reason },
  })
  if (accountNumber !== '' && !reviewGoesOn) await endWhatWaited(context, change)
  return {
    ...change,
    state,
    decided_by: by,
    decided_at: now.toISOString(),
    decision_reason: reason,
    open_matches: reviewGoesOn ? change.open_matches : 0,
  }
}

/** What the firm learns of the end. The reason of a person is only for the staff: it can be about a watch list. */
function outcomeOf(settlement: Settlement): object {
  if (settlement.state === 'Approved') return {}
  if (settlement.state === 'Withdrawn') return { outcome: 'Withdrawn' }
  const { outcome } = settlement
  if (!('errors' in settlement)) return { outcome }
  // The firm knows its request, and not the id of the change as a field.
  const errors = settlement.errors.map((one) => (one.field === 'changeId' ? { ...one, field: '' } : one))
  return { outcome, errors }
}

/** Open matches of an ended change need no decision. */
async function endWhatWaited(context: FirmContext, change: StoredChange): Promise<void> {
  const { tx, now } = context
  const { account_number: accountNumber, change_id: changeId } = change
  if (change.operation === 'decide-match') {
    await writeClearanceEnded(tx, accountNumber, changeId)
    return
  }
  const open = (await readMatches(tx, accountNumber)).filter(
    (match) => match.change_id === changeId && isOpenMatch(match),
  )
  for (const asked of await writeMatchesDropped(tx, accountNumber, open, now)) {
    const clearing = await lockChangeRow(tx, asked)
    if (clearing?.change.state === 'Requested')
      await settleChange(context, clearing.change, {
        state: 'Rejected',
        outcome: 'Ended',
        by: 'service',
        reason: 'The change that waited for the match has ended.',
      })
  }
}
