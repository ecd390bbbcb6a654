/** The tasks of the job queue, by name. A failed job is logged, counted and retried. */
import type { Logger } from 'pino'
import { serviceActor } from '../actor.ts'
import { examineAnnouncements } from '../books/announcements/examine-announcements.ts'
import { examineTask } from '../books/announcements/queue-examination.ts'
import { postDue } from '../books/loads/post-due.ts'
import { postDueTask } from '../books/loads/set-aside.ts'
import { type HelpPayload, helpCloseTask } from '../business-day/queue-help.ts'
import {
  type FirmSearchPayload,
  firmSearchTask,
  type SearchPayload,
  searchFirm,
  searchPortion,
  searchTask,
} from '../changes/block-listed-person.ts'
import { type ClosePayload, closeTask } from '../changes/close-day.ts'
import { endExpiredHolds, type HoldsPayload, holdsTask } from '../changes/end-expired-holds.ts'
import {
  type RememberPayload,
  rememberListedPerson,
  rememberTask,
} from '../changes/remember-listed-person.ts'
import { type ReopenPayload, reopenClearances, reopenTask } from '../changes/reopen-clearances.ts'
import { type RescreenPayload, rescreenPortion, rescreenTask } from '../changes/rescreen-accounts.ts'
import type { Config } from '../config/config.ts'
import type { Pools } from '../database/open-pools.ts'
import type { Tx } from '../database/transaction.ts'
import { workOnboarding } from '../onboarding/onboarding-task.ts'
import { type OnboardingPayload, onboardingTask } from '../onboarding/queue-onboarding.ts'
import { type ReviewPayload, reviewDocument } from '../onboarding/review-task.ts'
import type { Parts } from '../operations/parts.ts'
import type { Started } from '../started.ts'
import {
  type ReviewAccountPayload,
  type ReviewDayPayload,
  reviewDayTask,
  reviewTask,
} from '../store/renewals.ts'
import { type StatementsPayload, statementsTask } from '../store/statements.ts'
import { closeApprovedDay } from './close-approved-day.ts'
import { helpClose } from './help-close.ts'
import { makeStatements } from './make-statements.ts'
import {
  type ProofPayload,
  portionTask,
  proofSchedule,
  proofTask,
  proveBooks,
  proveRecords,
} from './prove-records.ts'
import { reviewDay, reviewOne } from './review-accounts.ts'
import { runJobs } from './run-jobs.ts'

export interface JobSettings {
  readonly config: Config
  readonly log: Logger
  readonly started: Started
  readonly pools: Pools
  readonly parts: Parts
  readonly count: (task: string, outcome: 'done' | 'failed') => void
}

export async function startJobs({ config, log, started, pools, parts, count }: JobSettings): Promise<void> {
  const firmOf = async (firmId: string) => {
    const known = (await parts.identity.directory.current()).firms.get(firmId)
    if (!known) throw new Error(`there is no firm ${firmId}`)
    return known.firm
  }
  const counted =
    <T>(task: string, work: (payload: T) => Promise<void>) =>
    async (payload: unknown) => {
      try {
        await work(payload as T)
        count(task, 'done')
      } catch (fault) {
        count(task, 'failed')
        log.error({ err: fault, task }, 'a job failed and will be tried again')
        throw fault
      }
    }
  const onboard = (end?: (tx: Tx) => void) =>
    counted<OnboardingPayload>(onboardingTask, (payload) =>
      workOnboarding(payload, { app: pools.app, parts, firmOf }, end),
    )
  const runner = await runJobs({
    owner: pools.owner,
    jobsAtOnce: config.jobsAtOnce,
    alone: config.database.kind === 'embedded',
    log: {
      info: (message) => log.info(message),
      warn: (message) => log.warn(message),
      error: (fault, message) => log.error({ err: fault }, message),
    },
    schedule: proofSchedule,
    held: { jobs: parts.heldJobs, work: (payload, end) => onboard(end)(payload) },
    tasks: {
      [onboardingTask]: onboard(),
      'review-document': counted<ReviewPayload>('review-document', (payload) =>
        reviewDocument(payload, pools.app, parts),
      ),
      [rescreenTask]: counted<RescreenPayload>(rescreenTask, (payload) =>
        rescreenPortion(payload, pools.loads, parts),
      ),
      [rememberTask]: counted<RememberPayload>(rememberTask, (payload) =>
        rememberListedPerson(payload, pools.loads, parts),
      ),
      [searchTask]: counted<SearchPayload>(searchTask, (payload) =>
        searchPortion(payload, pools.loads, parts, log),
      ),
      [firmSearchTask]: counted<FirmSearchPayload>(firmSearchTask, (payload) =>
        searchFirm(payload, pools.loads, parts, log),
      ),
      [reopenTask]: counted<ReopenPayload>(reopenTask, (payload) =>
        reopenClearances(payload, pools.loads, parts, log),
      ),
      [holdsTask]: counted<HoldsPayload>(holdsTask, (payload) =>
        endExpiredHolds(payload, pools.loads, parts, log),
      ),
      [reviewDayTask]: counted<ReviewDayPayload>(reviewDayTask, (payload) =>
        reviewDay(payload, pools.loads, parts, log),
      ),
      [reviewTask]: counted<ReviewAccountPayload>(reviewTask, (payload) =>
        reviewOne(payload, pools.loads, parts),
      ),
      [statementsTask]: counted<StatementsPayload>(statementsTask, (payload) =>
        makeStatements(payload, pools.loads, parts, log),
      ),
      [closeTask]: counted<ClosePayload>(closeTask, (payload) => closeApprovedDay(payload, parts)),
      [helpCloseTask]: counted<HelpPayload>(helpCloseTask, (payload) =>
        helpClose(payload, pools.operations, parts),
      ),
      [postDueTask]: counted(postDueTask, () =>
        postDue({ pool: pools.loads, now: parts.clock.now(), clientId: serviceActor, traceId: '' }),
      ),
      [examineTask]: counted(examineTask, () =>
        examineAnnouncements({
          pool: pools.loads,
          now: parts.clock.now(),
          clientId: serviceActor,
          traceId: '',
        }),
      ),
      [proofTask]: counted(proofTask, () => proveRecords(pools.loads, parts, log)),
      [portionTask]: counted<ProofPayload>(portionTask, (payload) => proveBooks(payload, pools.loads, parts)),
    },
  })
  started.add(() => runner.stop())
}
