/**
 * Ends a change: stores the decision with its person and reason, and ends the matches that waited only for it. Ends
 * matches that need no decision, with the changes that would clear them.
 */
import { type ChangeEnd, stepsOfChange } from '@clearing/domain'
import type { Rejection } from '@clearing/protocol'
import { serviceActor } from '../actor.ts'
import { type AuditContext, writeAudit } from '../store/audit.ts'
import { lockChangeRow, type StoredChange, stageOf, writeDecision } from '../store/changes.ts'
import { writeEvent } from '../store/events.ts'
import {
  isOpenMatch,
  readMatches,
  type ScreeningMatch,
  writeClearanceEnded,
  writeMatchesDropped,
} from '../store/screening.ts'

export interface Decided {
  /** The person who decided; `service` if a decision on a match ended the change. */
  readonly by: string
  readonly reason: string
  /** Why the change could not be made, for the firm. */
  readonly errors?: readonly Rejection[]
}

export async function settleChange(
  context: AuditContext,
  change: StoredChange,
  { state, outcome, reviewGoesOn }: ChangeEnd,
  { by, reason, errors }: Decided,
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
      content: { changeId, operation, subjects, ...outcomeOf(outcome, errors) },
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

/** Ends a change that has not ended yet, because what it concerns has. */
export async function endChange(context: AuditContext, changeId: string, reason: string): Promise<void> {
  const locked = await lockChangeRow(context.tx, changeId)
  const next = locked === undefined ? 'stay' : stepsOfChange.loseSubject[stageOf(locked.change)]
  if (locked && next !== 'stay')
    await settleChange(context, locked.change, next, { by: serviceActor, reason })
}

/** What the firm learns of the end. The reason of a person is only for the staff: it can be about a watch list. */
function outcomeOf(outcome: ChangeEnd['outcome'], errors: Decided['errors']): object {
  if (outcome === undefined) return {}
  if (errors === undefined) return { outcome }
  // The firm knows its request, and not the id of the change as a field.
  return { outcome, errors: errors.map((one) => (one.field === 'changeId' ? { ...one, field: '' } : one)) }
}

/** Open matches of an ended change need no decision. */
async function endWhatWaited(context: AuditContext, change: StoredChange): Promise<void> {
  const { tx } = context
  const { account_number: accountNumber, change_id: changeId } = change
  if (change.operation === 'decide-match') {
    await writeClearanceEnded(tx, accountNumber, changeId)
    return
  }
  const open = (await readMatches(tx, accountNumber)).filter(
    (match) => match.change_id === changeId && isOpenMatch(match),
  )
  await dropMatches(
    context,
    { accountNumber, matches: open },
    'The change that waited for the match has ended.',
  )
}

/** Ends matches that need no decision any more, and the changes in which second persons were asked to clear them. */
export async function dropMatches(
  context: AuditContext,
  { accountNumber, matches }: { readonly accountNumber: string; readonly matches: readonly ScreeningMatch[] },
  reason: string,
): Promise<void> {
  const { tx, now } = context
  for (const clearanceId of await writeMatchesDropped(tx, accountNumber, matches, now))
    await endChange(context, clearanceId, reason)
}

/** Ends the change that would clear the match, because the match is another one now, or was decided on otherwise. */
export async function endClearance(
  context: AuditContext,
  { clearance_change_id: changeId }: Pick<ScreeningMatch, 'clearance_change_id'>,
  reason: string,
): Promise<void> {
  if (changeId !== null) await endChange(context, changeId, reason)
}
