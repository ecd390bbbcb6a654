/**
 * Decides on a change once. The person who requested it cannot decide on it, also not through a credential or through a
 * person of their own making, and the role must allow the decision.
 */
import { type ChangeEnd, stepsOfChange } from '@clearing/domain'
import { approversOf, type Rejection, reject } from '@clearing/protocol'
import { isPerson, isSameActor } from '../actor.ts'
import { Rejected } from '../answers.ts'
import type { Tx } from '../database/transaction.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { settleChange } from '../firm-rules/settle-change.ts'
import { parseUuid } from '../ids.ts'
import { writeAudit } from '../store/audit.ts'
import {
  lockChangeRow,
  openRequest,
  readChange,
  type StoredChange,
  stageOf,
  writeApproval,
} from '../store/changes.ts'
import { writeNotification } from '../store/notifications.ts'
import { asFirm } from './firm-context.ts'
import { whySameHand } from './give-access.ts'
import { takeEffect } from './take-effect.ts'

export async function decideOnChange(
  context: FirmContext,
  decision: { changeId: string; approved: boolean; reason: string },
): Promise<StoredChange | Rejected> {
  const { tx, caller } = context
  const locked = await lockChange(tx, decision.changeId)
  if (locked === undefined) return new Rejected([notFound])
  const { change, sealed } = locked
  const next = stepsOfChange[decision.approved ? 'approve' : 'reject'][stageOf(change)]
  if (next === 'decided') return new Rejected([decidedAlready(change)])
  const notThis = whyNotThisPerson(change, context)
  if (notThis !== undefined) return new Rejected([notThis])
  if (next === 'not-asked') return new Rejected([notAsked(change)])
  let end: ChangeEnd
  if ('made' in next) {
    const sameHand = await findSameHand(change, context)
    if (sameHand !== undefined) return new Rejected([sameHand])
    const ofFirm = await asFirm(context, change.firm_id)
    const came = await takeEffect(change, openRequest(ofFirm.keys, change, sealed), ofFirm)
    const then = typeof came === 'string' ? next[came] : next.invalid
    if (then === 'refuse') return new Rejected(typeof came === 'string' ? [changedSince] : came)
    if (then === 'keep-approval') return keepApproval(context, change, decision.reason)
    end = then
  } else end = next
  writeNotification(tx, {
    recipient: change.requested_by,
    kind: 'Decided',
    accountNumber: change.account_number ?? '',
    target: change.change_id,
    detail: decision.reason === '' ? end.state : `${end.state}: ${decision.reason}`,
    causedBy: caller.clientId,
    at: context.now,
    traceId: context.traceId,
  })
  return settleChange(context, change, end, { by: caller.clientId, reason: decision.reason })
}

export async function withdrawChangeOf(
  context: FirmContext,
  changeId: string,
): Promise<StoredChange | Rejected> {
  const { tx, caller } = context
  const locked = await lockChange(tx, changeId)
  if (locked === undefined) return new Rejected([notFound])
  const { change } = locked
  const next = stepsOfChange.withdraw[stageOf(change)]
  if (next === 'decided') return new Rejected([decidedAlready(change)])
  if (!isSameActor(change.requested_by, caller.clientId))
    return new Rejected([
      reject('ERR.1003', '', `Only ${change.requested_by}, who requested the change, can withdraw it.`),
    ])
  return settleChange(context, change, next, { by: change.requested_by, reason: '' })
}

/** Records the approval of a second person. The change takes effect when its last match is cleared. */
async function keepApproval(
  context: FirmContext,
  change: StoredChange,
  reason: string,
): Promise<StoredChange> {
  const { tx, now, caller } = context
  const { change_id: changeId, firm_id: firmId, account_number: accountNumber, operation } = change
  if (!(await writeApproval(tx, changeId, { by: caller.clientId, at: now, reason })))
    throw new Error(`change ${changeId} was approved although it is locked`)
  writeAudit(context, {
    action: 'decide-change',
    firmId,
    target: changeId,
    accountNumber,
    changes: { operation, state: 'Requested', approvedBy: caller.clientId, reason },
  })
  return (await readChange(tx, changeId)) ?? change
}

const notFound = reject('ERR.2013', 'changeId', 'There is no change with this id.')
const changedSince = reject(
  'ERR.2010',
  'changeId',
  'The record has changed since the request; reject this change and request it again.',
)

/** The change with this id, with its row locked. Undefined also for a text that is not an id. */
async function lockChange(tx: Tx, changeId: string): ReturnType<typeof lockChangeRow> {
  const id = parseUuid(changeId)
  return id === undefined ? undefined : lockChangeRow(tx, id)
}

function decidedAlready({ state, decided_by, decided_at }: StoredChange): Rejection {
  return reject('ERR.2010', 'changeId', `It was decided already: ${state} by ${decided_by} on ${decided_at}.`)
}

/** A change that waits only for its matches cannot be approved. */
function notAsked({ approval_needed, approved_by, approved_at, open_matches }: StoredChange): Rejection {
  const matches = `${open_matches} open match${open_matches === 1 ? '' : 'es'} of a watch list`
  const reason = approval_needed
    ? `${approved_by} approved it on ${approved_at}; the change waits for ${matches}.`
    : `The change waits for decisions on ${matches}, and not for a second person.`
  return reject('ERR.2010', 'changeId', reason)
}

/** In the sandbox, people try four eyes with persons whom they create. */
async function findSameHand(
  { requested_by: requester }: StoredChange,
  { tx, caller, parts }: FirmContext,
): Promise<Rejection | undefined> {
  if (parts.sandbox || caller.person === undefined) return undefined
  return whySameHand(tx, { requester, approver: caller.clientId }, parts.identity.now())
}

function whyNotThisPerson(change: StoredChange, { caller }: FirmContext): Rejection | undefined {
  if (isSameActor(change.requested_by, caller.clientId))
    return reject('ERR.1003', '', 'You requested this change; another person must decide on it.')
  const role = caller.person?.role
  // Behind a credential may be the person who requested the change.
  if (role === undefined)
    return isPerson(change.requested_by)
      ? reject('ERR.1003', '', 'A person requested this change; another person must decide on it.')
      : undefined
  const closed = change.subjects.find((subject) => !approversOf[subject].includes(role))
  return closed === undefined
    ? undefined
    : reject('ERR.1003', '', `${closed} are approved by the role ${approversOf[closed].join(' or ')}.`)
}
