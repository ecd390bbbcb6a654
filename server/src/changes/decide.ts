/** Decides on a change: never by who asked for it, by a role that may, and once. */
import { approversOf, type Rejection, reject } from '@clearing/protocol'
import { type Context, Rejected } from '../context.ts'
import { writeAudit } from '../store/audit.ts'
import { lockChangeRow, openRequest, type StoredChange, writeDecision } from '../store/changes.ts'
import { writeEvent } from '../store/events.ts'
import { asFirm } from './firm-context.ts'
import { takeEffect } from './take-effect.ts'

export const decideOnChange = async (
  context: Context,
  decision: { changeId: string; approved: boolean; reason: string },
): Promise<StoredChange | Rejected> => {
  const { tx, caller } = context
  const locked = uuid.test(decision.changeId)
    ? await lockChangeRow(tx, decision.changeId.toLowerCase())
    : undefined
  if (locked === undefined) return new Rejected([notFound])
  const { change, sealed } = locked
  const refused = whyDecided(change) ?? whyNotThisPerson(change, context)
  if (refused !== undefined) return new Rejected([refused])
  if (decision.approved) {
    const ofFirm = await asFirm(context, change.firm_id)
    const ineffective = await takeEffect(change, openRequest(ofFirm.keys, change, sealed), ofFirm)
    if (ineffective !== undefined) return ineffective
  }
  const state = decision.approved ? 'Approved' : 'Rejected'
  return settle(context, change, state, caller.clientId, decision.reason)
}

export const withdrawChangeOf = async (
  context: Context,
  changeId: string,
): Promise<StoredChange | Rejected> => {
  const { tx, caller } = context
  const locked = uuid.test(changeId) ? await lockChangeRow(tx, changeId.toLowerCase()) : undefined
  if (locked === undefined) return new Rejected([notFound])
  const { change } = locked
  const decided = whyDecided(change)
  if (decided !== undefined) return new Rejected([decided])
  if (!isSame(change.requested_by, caller.clientId))
    return new Rejected([reject('ERR.1003', '', `Only ${change.requested_by}, who asked, takes it back.`)])
  return settle(context, change, 'Withdrawn', change.requested_by, '')
}

const settle = async (
  context: Context,
  change: StoredChange,
  state: 'Approved' | 'Rejected' | 'Withdrawn',
  by: string,
  reason: string,
): Promise<StoredChange> => {
  const { tx, now, traceId } = context
  const { change_id: changeId, firm_id: firmId, account_number: accountNumber, operation, subjects } = change
  if (!(await writeDecision(tx, changeId, { state, by, at: now, reason })))
    throw new Error(`change ${changeId} is locked and was decided`)
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
    changes: { operation, state, requestedBy: change.requested_by, reason },
  })
  return { ...change, state, decided_by: by, decided_at: now.toISOString(), decision_reason: reason }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const notFound = reject('ERR.2013', 'changeId', 'There is no change with this id.')
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const whyDecided = ({ state, decided_by, decided_at }: StoredChange): Rejection | undefined =>
  state === 'Requested'
    ? undefined
    : reject('ERR.2010', 'changeId', `It was decided already: ${state} by ${decided_by} on ${decided_at}.`)

const whyNotThisPerson = (change: StoredChange, { caller }: Context): Rejection | undefined => {
  if (isSame(change.requested_by, caller.clientId))
    return reject('ERR.1003', '', 'You asked for this change; another person decides on it.')
  const role = caller.person?.role
  if (role === undefined) return undefined
  const closed = change.subjects.find((subject) => !approversOf[subject].includes(role))
  return closed === undefined
    ? undefined
    : reject('ERR.1003', '', `${closed} are approved by the role ${approversOf[closed].join(' or ')}.`)
}
