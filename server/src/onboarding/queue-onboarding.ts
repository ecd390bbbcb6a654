/** Queues the work that a step of an onboarding requests. Queuing a job again has no effect. */
import { jobKey, type OnboardingJob } from '@clearing/domain'
import type { Clock } from '../clock.ts'
import type { Tx } from '../database/transaction.ts'
import type { HeldJobs } from '../store/held-jobs.ts'
import { queue } from '../store/jobs.ts'

export const onboardingTask = 'onboarding'

export interface OnboardingPayload {
  readonly firmId: string
  readonly accountNumber: string
  readonly traceId: string
  readonly job: OnboardingJob
}

export interface OnboardingQueue {
  readonly clock: Clock
  /** Present for jobs that this process runs itself after the commit. */
  readonly heldJobs?: HeldJobs
}

export function queueOnboardingJobs(
  tx: Tx,
  { clock, heldJobs }: OnboardingQueue,
  account: Omit<OnboardingPayload, 'job'>,
  jobs: readonly OnboardingJob[],
): void {
  for (const job of jobs) {
    const payload: OnboardingPayload = { ...account, job }
    const queued = { task: onboardingTask, payload, key: `${account.accountNumber}:${jobKey(job)}` }
    const notBefore = new Date(job.notBefore)
    if (notBefore > clock.now()) queue(tx, { ...queued, due: notBefore })
    else if (heldJobs === undefined) queue(tx, { ...queued, due: null })
    else heldJobs.queue(tx, queued)
  }
}
