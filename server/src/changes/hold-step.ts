/**
 * The recorded steps of a temporary hold: the notice, the extensions, and the end that a state agency or a court sets.
 * A step other than the notice moves the last day.
 */
import { type HoldStep, stepOfHold } from '@clearing/domain'
import { type Rejection, reject } from '@clearing/protocol'
import type { FirmContext } from '../firm-rules/context.ts'
import { type Restricted, writeRestrictionEvent } from '../firm-rules/restriction.ts'
import { writeAudit } from '../store/audit.ts'
import { easternDay } from '../store/books/calendar.ts'
import { lockAccountStatus, readRestriction } from '../store/restrictions.ts'
import { readHolds, type TemporaryHold, writeHoldStep } from '../store/temporary-holds.ts'
import { notFound } from './restrict.ts'

export interface StepRequest {
  readonly accountNumber: string
  readonly restrictionId: string
  readonly step: HoldStep
  readonly until?: string
  readonly reason: string
}

interface Step {
  readonly hold: TemporaryHold
  readonly accountStatus: string
  readonly expiresOn: string
}

/** Locks the account. The check also precedes a request for approval. */
export async function checkStep(
  context: Pick<FirmContext, 'tx' | 'now'>,
  { accountNumber, restrictionId, step, until }: StepRequest,
): Promise<Rejection | Step> {
  if (step !== 'Ordered' && until !== undefined)
    return reject('ERR.1015', 'until', 'Only the step Ordered sets a day.')
  if (step === 'Ordered' && until === undefined)
    return reject('ERR.1000', 'until', 'The step Ordered needs the last day of the hold.')
  const account = await lockAccountStatus(context.tx, accountNumber)
  if (account === undefined) return notFound
  const [hold] = await readHolds(context.tx, [
    { account_number: accountNumber, restriction_id: restrictionId },
  ])
  if (hold === undefined)
    return reject('ERR.2013', 'restrictionId', 'The account has no temporary hold with this id.')
  const restriction = await readRestriction(context.tx, accountNumber, restrictionId)
  const found = stepOfHold(
    {
      placedOn: hold.placed_on,
      expiresOn: hold.expires_on,
      steps: hold.steps.map((recorded) => recorded.step),
      inForce: restriction?.ended_at === null,
    },
    step,
    { today: easternDay(context.now), until },
  )
  if ('refused' in found) return reject('ERR.2010', 'step', found.refused)
  return { hold, accountStatus: account.status, expiresOn: found.expiresOn }
}

export async function recordStep(
  request: StepRequest,
  context: FirmContext,
): Promise<Rejection | Restricted> {
  const checked = await checkStep(context, request)
  if ('code' in checked) return checked
  const { tx, now, caller } = context
  const { hold, accountStatus, expiresOn } = checked
  const { accountNumber, restrictionId, step, reason } = request
  const restriction = await readRestriction(tx, accountNumber, restrictionId)
  if (restriction === undefined) throw new Error(`the restriction of the hold ${restrictionId} is gone`)
  const recorded = { step, expiresOn, reason, by: caller.clientId, at: now.toISOString() }
  const after: TemporaryHold = {
    ...hold,
    expires_on: expiresOn,
    notified_at: hold.notified_at ?? (step === 'Notified' ? recorded.at : null),
    steps: [...hold.steps, recorded],
  }
  writeHoldStep(tx, after, restriction.placed_at)
  if (step !== 'Notified') writeRestrictionEvent(context, restriction, { accountStatus, expiresOn })
  const changes = { step, expiresOn, reason }
  writeAudit(context, { action: 'record-hold-step', accountNumber, target: restrictionId, changes })
  return { accountStatus, restriction }
}
