/** onboarding-result: the state of an application, for accounts created with new-account (Reading 4.7). */

import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { renderOnboarding } from '../onboarding/render-onboarding.ts'
import { readOnboarding } from '../store/onboarding.ts'
import type { Handler } from './context.ts'

export const onboardingResult: Handler<'onboarding-result'> = async ({ accountNumber }, context) => {
  const onboarding = await readOnboarding(context.tx, accountNumber)
  return onboarding ? renderOnboarding(context, onboarding) : accountNotFound(context.firm)
}
