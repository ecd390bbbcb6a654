/**
 * Decides on a change once. The person who requested it cannot decide on it, also not through a credential or through a
 * person of their own making, and the role must allow the decision.
 */
import { approversOf, type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { Tx } from '../database/transaction.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { parseUuid } from '../ids.ts'
import { writeAudit } from '../store/audit.ts'
import { lockChangeRow, openRequest, readChange, type StoredChange, writeApproval } from '../store/changes.ts'
import { writeNotification } from '../store/notifications.ts'
import { asFirm } from './firm-context.ts'
import { whySameHand } from './give-access.ts'
import { settleChange } from './settle-change.ts'
import { takeEffect } from './take-effect.ts'

export async function decideOnChange(
  context: FirmContext,
  decision: { changeId: string; approved: boolean; reason: string },
): Promise<StoredChange | Rejected> {
  const { tx, caller } = context
  const locked = await lockChange(tx, decision.changeId)
  if (locked === undefined) return new Rejected([notFound])
  const { change, sealed } = locked
  const refused = whyDecided(change) ?? whyNotThisPerson(change, context)
  if (refused !== undefined) return new Rejected([refused])
  if (decision.approved) {
    const unasked = whyNotAsked(change)
    if (unasked !== undefined) return new Rejected([unasked])
    const sameHand = await findSameHand(change, context)
    if (sameHand !== undefined) return new Rejected([sameHand])
    const ofFirm = await asFirm(context, change.firm_id)
    const came = await takeEffect(change, openRequest(ofFirm.keys, change, sealed), ofFirm)
    if (came instanceof Rejected) return came
    if (came === 'waits') return keepApproval(context, change, decision.reason)
  }
  const state = decision.approved ? 'Approved' : 'Rejected'
  writeNotification(tx, {
    recipient: change.requested_by,
    kind: 'Decided',
    accountNumber: change.account_number ?? '',
    target: change.change_id,
    detail: decision.reason === '' ? state : `${state}: ${decision.reason}`,
    causedBy: caller.clientId,
    at: context.now,
    traceId: context.traceId,
  })
  const decided = { by: caller.clientId, reason: decision.reason }
  return settleChange(
    context,
    change,
    decision.approved
      ? { state: 'Approved', ...decided }
      : { state: 'Rejected', outcome: 'Refused', ...decided },
  )
}

export async function withdrawChangeOf(
  context: FirmContext,
  changeId: string,
): Promise<StoredChange | Rejected> {
  const { tx, caller } = context
  const locked = await lockChange(tx, changeId)
  if (locked === undefined) return new Rejected([notFound])
  const { change } = locked
  const decided = whyDecided(change)
  if (decided !== undefined) return new Rejected([decided])
  if (!isSame(change.requested_by, caller.clientId))
    return new Rejected([
      reject('ERR.1003', '', `Only ${change.requested_by}, who requested the change, can withdraw it.`),
    ])
  return settleChange(context, change, { state: 'Withdrawn', by: change.requested_by, reason: '' })
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

/** The change with this id, with its row locked. Undefined also for a text that is not an id. */
async function lockChange(tx: Tx, changeId: string): ReturnType<typeof lockChangeRow> {
  const id = parseUuid(changeId)
  return id === undefined ? undefined : lockChangeRow(tx, id)
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Persons are named by their e-mail address. No client id contains `@`. */
function isPerson(name: string): boolean {
  return name.includes('@')
}

function whyDecided({ state, decided_by, decided_at }: StoredChange): Rejection | undefined {
  return state === 'Requested'
    ? undefined
    : reject('ERR.2010', 'changeId', `It was decided already: ${state} by ${decided_by} on ${decided_at}.`)
}

/** A change that waits only for its matches cannot be approved. */
function whyNotAsked({
  approval_needed,
  approved_by,
  approved_at,
  open_matches,
}: StoredChange): Rejection | undefined {
  const matches = `${open_matches} open match${open_matches === 1 ? '' : 'es'} of a watch list`
  if (!approval_needed)
    return reject(
      'ERR.2010',
      'changeId',
      `The change waits for decisions on ${matches}, and not for a second person.`,
    )
  if (approved_by !== null)
    return reject(
      'ERR.2010',
      'changeId',
      `${approved_by} approved it on ${approved_at}; the change waits for ${matches}.`,
    )
  return undefined
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
  if (isSame(change.requested_by, caller.clientId))
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
