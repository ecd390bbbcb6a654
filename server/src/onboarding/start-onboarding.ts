/** Begins the onboarding of a submission, in the submission's own transaction. */
import { submitOnboarding } from '@clearing/domain'
import type { FirmContext } from '../firm-rules/context.ts'
import { newId } from '../ids.ts'
import { writeOnboarding } from '../store/onboarding.ts'
import { queueOnboardingJobs } from './queue-onboarding.ts'

export function startOnboarding(
  context: FirmContext,
  submission: { accountNumber: string; duplicates: readonly string[] },
): void {
  const { tx, firm, now } = context
  const { state, jobs } = submitOnboarding(now.toISOString())
  writeOnboarding(tx, {
    accountNumber: submission.accountNumber,
    firmId: firm.firmId,
    correlationId: newId(now),
    state,
    possibleDuplicates: submission.duplicates,
    at: now,
  })
  const { firmId } = firm
  const { accountNumber } = submission
  queueOnboardingJobs(tx, context.parts, { firmId, accountNumber, traceId: context.traceId }, jobs)
}
