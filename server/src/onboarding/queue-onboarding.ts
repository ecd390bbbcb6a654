/** Queues the work that a step of an onboarding requests. Queuing a job again has no effect. */
import { jobKey, type OnboardingJob } from '@clearing/domain'
import type { Clock } from '../clock.ts'
import type { Tx } from '../database/transaction.ts'
import { queue } from '../store/jobs.ts'

export const onboardingTask = 'onboarding'

export interface OnboardingPayload {
  readonly firmId: string
  readonly accountNumber: string
  readonly traceId: string
  readonly job: OnboardingJob
}

export function queueOnboardingJobs(
  tx: Tx,
  clock: Clock,
  account: Omit<OnboardingPayload, 'job'>,
  jobs: readonly OnboardingJob[],
): void {
  for (const job of jobs) {
    const payload: OnboardingPayload = { ...account, job }
    const notBefore = new Date(job.notBefore)
    const due = notBefore > clock.now() ? notBefore : null
    queue(tx, { task: onboardingTask, payload, key: `${account.accountNumber}:${jobKey(job)}`, due })
  }
}
