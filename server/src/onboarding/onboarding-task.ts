/**
 * The job of an onboarding: begins it, runs its next stages, or expires its follow-ups, in one transaction.
 * The row is locked, and a job whose number has passed does nothing. Stages that are due at once follow
 * without the queue, so a usual application is one job and one commit.
 */
import {
  certificatesDecided,
  defaultOnboardingSettings,
  magicStageDelayMs,
  type OnboardingEvent,
  type OnboardingJob,
  type OnboardingSettings,
  reasonOfDeath,
  type StageOutcome,
  stageRules,
} from '@clearing/domain'
import { serviceActor } from '../actor.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import type { FirmParts } from '../firm-rules/context.ts'
import { putInForce } from '../firm-rules/restriction.ts'
import type { IndexedList } from '../screening/watch-lists.ts'
import { type Account, readAccount, readVersions } from '../store/accounts.ts'
import { hasUnlinkedDocument } from '../store/documents.ts'
import type { Firm } from '../store/firm.ts'
import { lockOnboardingRow, type Onboarding } from '../store/onboarding.ts'
import { readNumbersOfOthers } from '../store/parties.ts'
import { readFormsReceived } from '../store/renewals.ts'
import { type ScreeningMatch, writeMatch } from '../store/screening.ts'
import { type Acting, OnboardingSteps } from './advance-onboarding.ts'
import { withAgreedEntitlements } from './complete-entitlements.ts'
import { answerWithEarlierDocuments } from './document-follow-ups.ts'
import type { OnboardingPayload } from './queue-onboarding.ts'
import { enterRenewals } from './renewals-at-opening.ts'
import { judgeBeforeOpening, runStage, screenBeforeOpening } from './run-stage.ts'
import { UndecidedMatches, withUndecided } from './undecided-matches.ts'

export interface OnboardingWork {
  readonly app: Pool
  readonly parts: FirmParts
  readonly firmOf: (firmId: string) => Promise<Firm>
}

/** `end` removes a held job in the transaction of its work. */
export async function workOnboarding(
  payload: OnboardingPayload,
  work: OnboardingWork,
  end?: (tx: Tx) => void,
): Promise<void> {
  const { firmId } = payload
  const { app, parts } = work
  const firm = await work.firmOf(firmId)
  await parts.keyring.using(firmId, (keys) =>
    inTransaction(app, { firm: firmId, repeatable: true }, async (tx) => {
      await advance(payload, { tx, keys, firm, parts })
      end?.(tx)
    }),
  )
}

async function advance(
  { accountNumber, job, traceId }: OnboardingPayload,
  work: Pick<Doing, 'tx' | 'keys' | 'firm' | 'parts'>,
): Promise<void> {
  const { tx, keys, parts } = work
  // Sent together, the lock first. Some jobs do not need the lists or the forms.
  const locked = lockOnboardingRow(tx, accountNumber)
  const lists = parts.watchLists.current(tx)
  const [onboarding, account, forms, numbersOfOthers, hasUnlinked] = await Promise.all([
    locked,
    readAccount(tx, accountNumber, keys),
    readFormsReceived(tx, accountNumber),
    readNumbersOfOthers(tx, accountNumber),
    hasUnlinkedDocument(tx, accountNumber),
    // Their fault concerns the check of names only.
    lists.catch(() => {}),
  ])
  if (!account || !onboarding) return
  let current: Account = account
  const steps = new OnboardingSteps(onboarding)
  const due: OnboardingJob[] = [job]
  const later: OnboardingJob[] = []
  const checked = { here: false }
  for (let next = due.shift(); next !== undefined; next = due.shift()) {
    const now = timeOfJob(next, parts.clock.now())
    const acting = { clock: parts.clock, now, actor: serviceActor, traceId }
    if (next.kind === 'run-stage' && next.stage === 'IdentityCheck' && steps.state.run === next.run)
      current = await withAgreedEntitlements(tx, current, steps.state, { keys, ...acting })
    const asked = await doJob(next, {
      ...work,
      account: current,
      onboarding,
      numbersOfOthers,
      hasUnlinked,
      steps,
      acting,
      checked,
      lists,
    })
    for (const one of asked) (new Date(one.notBefore) <= now ? due : later).push(one)
  }
  steps.store(tx, later, true)
  if (onboarding.state.accountStatus === 'Open' || steps.state.accountStatus !== 'Open') return
  const now = parts.clock.now()
  enterRenewals(tx, current, steps.state, { forms, now, sandbox: parts.sandbox, traceId })
  const [certificate] = certificatesDecided(steps.state.followUps)
  if (certificate === undefined) return
  const placing = { tx, now, firm: work.firm, caller: { clientId: serviceActor }, traceId }
  await putInForce(placing, { accountNumber, code: 'OwnerDeceased', reason: reasonOfDeath(certificate) })
}

/** The queue runs a job at its time by the clock of the database. The clock of this process may still be behind. */
function timeOfJob({ notBefore }: OnboardingJob, now: Date): Date {
  const due = new Date(notBefore)
  return due > now ? due : now
}

interface Doing {
  readonly tx: Tx
  readonly keys: FirmKeys
  readonly firm: Firm
  readonly account: Account
  readonly onboarding: Onboarding
  /** Customer ids of the persons whose tax id another person has. */
  readonly numbersOfOthers: ReadonlySet<string>
  /** The account has documents that answer no follow-up. None is added before the transaction ends. */
  readonly hasUnlinked: boolean
  readonly steps: OnboardingSteps
  readonly parts: FirmParts
  readonly acting: Acting
  /** True if the names were checked in this transaction. */
  readonly checked: { here: boolean }
  /** The watch lists in force, which do not change before the transaction ends. */
  readonly lists: Promise<readonly IndexedList[]>
}

/**
 * Returns the jobs that its step requests. If the step is refused, a concurrent duplicate of this job or a
 * person has taken it already, and no work remains.
 */
async function doJob(job: OnboardingJob, doing: Doing): Promise<readonly OnboardingJob[]> {
  const { account, steps, parts, acting } = doing
  // Later steps leave a follow-up with its date: the rules decide whether one is overdue.
  if (steps.state.run !== job.run && job.kind !== 'expire-follow-ups') return []
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
      const outcome = await runAndScreen(job, doing)
      const jobs = take({ kind: 'stage-ended', run: job.run, stage: job.stage, outcome, at, by: 'service' })
      if (!doing.hasUnlinked) return jobs
      return [...jobs, ...(await answerWithEarlierDocuments(doing.tx, account.accountNumber, steps, acting))]
    }
    default:
      return job satisfies never
  }
}

const lastStage = stageRules.at(-1)?.code

/**
 * The outcome of the stage. Names that an earlier transaction checked are screened again before the account opens, and
 * the rules judge an application that has waited again.
 */
async function runAndScreen(
  { stage, attempt }: Extract<OnboardingJob, { kind: 'run-stage' }>,
  doing: Doing,
): Promise<StageOutcome> {
  const { tx, account, parts, acting, checked, lists } = doing
  // No earlier check exists before the first request, so there are no matches of another record.
  const undecided =
    stage === 'WatchlistCheck' && doing.onboarding.state.followUps.length > 0
      ? await UndecidedMatches.read(tx, account.accountNumber)
      : new UndecidedMatches([])
  const run = {
    tx,
    keys: doing.keys,
    keyring: parts.keyring,
    lists: () => lists,
    sandbox: parts.sandbox,
    now: acting.now,
    account,
    earlier: stage === 'IdentityCheck' ? await readEarlier(doing) : [],
    possibleDuplicates: doing.onboarding.possible_duplicates,
    numbersOfOthers: doing.numbersOfOthers,
    firmSettings: doing.firm.settings,
    attempt,
    keepMatch: (match: ScreeningMatch) => {
      const merged = undecided.merge(match)
      if (merged !== undefined) writeMatch(tx, merged, acting.now)
    },
  }
  const outcome = await runStage(stage, run)
  if (stage === 'WatchlistCheck') {
    checked.here = true
    const { actor: clientId, now, traceId } = acting
    const auditing = { tx, now, firm: doing.firm, caller: { clientId }, traceId }
    return withUndecided(outcome, await undecided.settle(auditing, account, doing.keys))
  }
  const opens = stage === lastStage && (outcome.kind === 'succeeded' || outcome.kind === 'failed')
  if (!opens) return outcome
  const hasWaited = doing.steps.state.followUps.length > 0 || !checked.here
  return (
    (checked.here ? null : await screenBeforeOpening(run)) ??
    (hasWaited ? judgeBeforeOpening(run) : null) ??
    outcome
  )
}

/** The earlier versions of the record, the submitted one first. */
async function readEarlier({ tx, keys, account }: Doing): Promise<Account['record'][]> {
  const { accountNumber, version } = account
  if (version === 1) return []
  const versions = await readVersions(tx, accountNumber, 1, version - 1, keys)
  return [...versions].sort(([a], [b]) => a - b).map(([, { record }]) => record)
}

function settingsFor(account: Account, sandbox: boolean): OnboardingSettings {
  const { taxIdNumber = '', lastName = '' } = account.record.primaryOwner
  return { ...defaultOnboardingSettings, stageDelayMs: magicStageDelayMs({ sandbox, taxIdNumber, lastName }) }
}
