/**
 * withdraw-application: a firm withdraws an application before its account is open. Its open matches stay open, as
 * those of a rejected application (decision 277).
 */
import { type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { OnboardingSteps } from '../onboarding/advance-onboarding.ts'
import { renderOnboarding } from '../onboarding/render-onboarding.ts'
import { lockOnboardingRow, type Onboarding, readOnboarding } from '../store/onboarding.ts'
import type { Handler } from './context.ts'

export const withdrawApplication: Handler<'withdraw-application'> = async ({ accountNumber }, context) => {
  const { tx, now, parts, caller, traceId } = context
  const locked = await lockOnboardingRow(tx, accountNumber)
  if (locked === undefined) return accountNotFound(context.firm)
  if (locked.state.withdrawnAt !== undefined) return renderOnboarding(context, locked)
  const ended = whyEnded(locked)
  if (ended !== undefined) return new Rejected([ended])
  const steps = new OnboardingSteps(locked)
  const taken = steps.take(
    { kind: 'withdrawn', at: now.toISOString(), by: 'firm' },
    { clock: parts.clock, now, actor: caller.clientId, traceId },
  )
  if (taken.kind === 'rejected') return new Rejected([taken.rejection])
  steps.store(tx, taken.step.jobs)
  const withdrawn = await readOnboarding(tx, accountNumber)
  if (withdrawn === undefined) throw new Error(`the onboarding of ${accountNumber} was not found`)
  return renderOnboarding(context, withdrawn)
}

/** The rejection if the application has ended otherwise. */
function whyEnded({ state: { currentState } }: Onboarding): Rejection | undefined {
  switch (currentState) {
    case 'CreationComplete':
      return reject('ERR.2010', '', 'The account is open already. Ask the clearing firm to close it.')
    case 'Rejected':
    case 'CreationFailed':
      return reject('ERR.2010', '', `The application is ${currentState} already: no account was opened.`)
    default:
      return undefined
  }
}
