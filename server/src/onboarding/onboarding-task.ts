/**
 * The job of an onboarding: begins it, runs its next stages, or expires its follow-ups. One transaction: the row is locked, a
 * job whose number has passed does nothing, and stages that are due at once follow one another without going through the
 * queue, so the usual application is one job and one commit.
 */
import {
  defaultOnboardingSettings,
  magicStageDelayMs,
  type OnboardingEvent,
  type OnboardingJob,
  type OnboardingSettings,
} from '@clearing/domain'
import type { Firm } from '../context.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import type { Parts } from '../parts.ts'
import { type Account, readAccount } from '../store/accounts.ts'
import { lockOnboardingRow, type Onboarding } from '../store/onboarding.ts'
import { writeMatch } from '../store/screening.ts'
import { type Acting, OnboardingSteps } from './advance-onboarding.ts'
import type { OnboardingPayload } from './queue-onboarding.ts'
import { runStage } from './run-stage.ts'

export interface OnboardingWork {
  readonly app: Pool
  readonly parts: Parts
  readonly firmOf: (firmId: string) => Promise<Firm>
}

export const workOnboarding = async (payload: OnboardingPayload, work: OnboardingWork): Promise<void> => {
  const { firmId, accountNumber, job, traceId } = payload
  const { parts } = work
  const keys = await parts.keyring.load(firmId)
  const firm = await work.firmOf(firmId)
  await inTransaction(work.app, { firm: firmId, repeatable: true }, async (tx) => {
    const [account, onboarding] = await Promise.all([
      readAccount(tx, accountNumber, keys),
      lockOnboardingRow(tx, accountNumber),
    ])
    if (!account || !onboarding) return
    const steps = new OnboardingSteps(onboarding)
    const due: OnboardingJob[] = [job]
    const later: OnboardingJob[] = []
    for (let next = due.shift(); next !== undefined; next = due.shift()) {
      const now = parts.clock.now()
      const acting = { clock: parts.clock, now, actor: 'service', traceId }
      const asked = await doJob(next, { tx, keys, firm, account, onboarding, steps, parts, acting })
      for (const one of asked) (new Date(one.notBefore) <= now ? due : later).push(one)
    }
    await steps.store(tx, later)
  })
}

interface Doing {
  readonly tx: Tx
  readonly keys: FirmKeys
  readonly firm: Firm
  readonly account: Account
  readonly onboarding: Onboarding
  readonly steps: OnboardingSteps
  readonly parts: Parts
  readonly acting: Acting
}

/** Answers the jobs that its step asks for. A step that is refused was taken already, by this job's twin or by a person: nothing is left to do. */
const doJob = async (job: OnboardingJob, doing: Doing): Promise<readonly OnboardingJob[]> => {
  const { tx, account, steps, parts, acting } = doing
  if (steps.state.run !== job.run) return []
  const at = acting.now.toISOString()
  const take = (event: OnboardingEvent): readonly OnboardingJob[] => {
    const taken = steps.take(event, acting, settingsFor(account, parts.sandbox))
    return taken.kind === 'advanced' ? taken.step.jobs : []
  }
  switch (job.kind) {
    case 'begin':
      return take({ kind: 'work-began', run: job.run, at, by: 'service' })
    case 'expire-follow-ups':
      return take({ kind: 'follow-ups-expired', at, by: 'service' })
    case 'run-stage': {
      const { stage, attempt } = job
      const outcome = await runStage(stage, {
        tx,
        keys: doing.keys,
        lists: parts.watchLists,
        sandbox: parts.sandbox,
        now: acting.now,
        account,
        possibleDuplicates: doing.onboarding.possible_duplicates,
        firmSettings: doing.firm.settings,
        attempt,
        keepMatch: (match) => writeMatch(tx, match, acting.now),
      })
      return take({ kind: 'stage-ended', run: job.run, stage, outcome, at, by: 'service' })
    }
    default:
      return job satisfies never
  }
}

const settingsFor = (account: Account, sandbox: boolean): OnboardingSettings => {
  const { taxIdNumber = '', lastName = '' } = account.record.primaryOwner
  return { ...defaultOnboardingSettings, stageDelayMs: magicStageDelayMs({ sandbox, taxIdNumber, lastName }) }
}
