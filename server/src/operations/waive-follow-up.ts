/**
 * waive-follow-up: withdraws a request to the firm. After the last one, an application continues with the check that
 * asked; of an open account, the review ends the restriction that was placed for the request.
 */
import type { OnboardingState } from '@clearing/domain'
import { type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { OnboardingSteps } from '../onboarding/advance-onboarding.ts'
import { renderOnboarding } from '../onboarding/render-onboarding.ts'
import { writeAudit } from '../store/audit.ts'
import { lockOnboardingRow, readOnboarding } from '../store/onboarding.ts'
import type { Handler } from './context.ts'

export const waiveFollowUp: Handler<'waive-follow-up'> = async (request, context) => {
  const { tx, now, caller, traceId, parts } = context
  const { accountNumber, followUpId, reason } = request
  const locked = await lockOnboardingRow(tx, accountNumber)
  if (locked === undefined) return accountNotFound(context.firm)
  const refused = whyNotWaived(locked.state, followUpId)
  if (refused !== undefined) return new Rejected([refused])
  const steps = new OnboardingSteps(locked)
  const taken = steps.take(
    { kind: 'follow-up-waived', followUpId, reason, at: now.toISOString(), by: 'operations' },
    { clock: parts.clock, now, actor: caller.clientId, traceId },
  )
  if (taken.kind === 'rejected') return new Rejected([taken.rejection])
  steps.store(tx, taken.step.jobs)
  const firmId = locked.firm_id
  writeAudit(context, { action: 'waive-follow-up', firmId, accountNumber, changes: { followUpId, reason } })
  const onboarding = await readOnboarding(tx, accountNumber)
  if (!onboarding) throw new Error(`the onboarding of ${accountNumber} is gone`)
  return renderOnboarding(context, onboarding)
}

function whyNotWaived(
  { currentState, followUps }: OnboardingState,
  followUpId: string,
): Rejection | undefined {
  if (currentState !== 'ActionRequired' && currentState !== 'CreationComplete') {
    const todo = currentState === 'ManualReview' ? ' Decide on the application with decide-onboarding.' : ''
    return reject(
      'ERR.2011',
      'accountNumber',
      `The application is ${currentState} and waits for no answer.${todo}`,
    )
  }
  const isReview = followUps.some(({ id, kind }) => id === followUpId && kind === 'Review')
  return isReview
    ? reject(
        'ERR.1015',
        'followUpId',
        'This follow-up is a decision of operations, which is made and not waived.',
      )
    : undefined
}
