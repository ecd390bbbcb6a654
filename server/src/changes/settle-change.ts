/** Ends a change: stores the decision with its person and reason, and ends the matches that waited only for it. */
import type { FirmContext } from '../firm-rules/context.ts'
import { writeAudit } from '../store/audit.ts'
import { lockChangeRow, type StoredChange, writeDecision } from '../store/changes.ts'
import { writeEvent } from '../store/events.ts'
import { isOpenMatch, readMatches, writeClearanceEnded, writeMatchesDropped } from '../store/screening.ts'

export interface Settlement {
  readonly state: 'Approved' | 'Rejected' | 'Withdrawn'
  /** The person who decided; `service` if a decision on a match ended the change. */
  readonly by: string
  readonly reason: string
}

export async function settleChange(
  context: FirmContext,
  change: StoredChange,
  { state, by, reason }: Settlement,
): Promise<StoredChange> {
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
      content: { changeId, operation, subjects },
    })
  }
  writeAudit(context, {
    action: state === 'Withdrawn' ? 'withdraw-change' : 'decide-change',
    firmId,
    target: changeId,
    ...(accountNumber === '' ? {} : { accountNumber }),
    changes: { operation, state, requestedBy: change.requested_by, decidedBy: by, reason },
  })
  if (accountNumber !== '') await endWhatWaited(context, change)
  return {
    ...change,
    state,
    decided_by: by,
    decided_at: now.toISOString(),
    decision_reason: reason,
    open_matches: 0,
  }
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
        by: 'service',
        reason: 'The change that waited for the match has ended.',
      })
  }
}
