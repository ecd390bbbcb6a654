/** onboarding-result: where an application stands; of accounts made with new-account only (Reading 4.7). */
import type { Handler } from '../context.ts'
import { renderOnboarding } from '../onboarding/render-onboarding.ts'
import { readOnboarding } from '../store/onboarding.ts'
import { accountNotFound } from './account-not-found.ts'

export const onboardingResult: Handler<'onboarding-result'> = async ({ accountNumber }, { tx }) => {
  const onboarding = await readOnboarding(tx, accountNumber)
  return onboarding ? renderOnboarding(tx, onboarding) : accountNotFound()
}
