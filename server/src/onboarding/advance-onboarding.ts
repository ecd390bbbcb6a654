/**
 * Takes the steps of an onboarding. Pure rules compute the new state; state, history, account status, events, jobs and
 * audit rows are stored in one transaction. The row is locked, so that a step happens once although it may be requested
 * several times. Consecutive steps of a transaction are decided in memory and stored together.
 */
import {
  maskPersonalNumbers,
  type NoticeType,
  nextStep,
  type OnboardingEvent,
  type OnboardingJob,
  type OnboardingSettings,
  type OnboardingState,
  type OnboardingStep,
} from '@clearing/domain'
import type { Rejection } from '@clearing/protocol'
import type { Clock } from '../clock.ts'
import type { Tx } from '../database/transaction.ts'
import { writeStatusMove } from '../store/accounts.ts'
import { type AuditRow, writeAuditRow } from '../store/audit.ts'
import { type NewEvent, writeEvents } from '../store/events.ts'
import { lockOnboardingRow, type Onboarding, writeOnboardingSteps } from '../store/onboarding.ts'
import { markForReview, queueReview } from '../store/renewals.ts'
import { expectedBy } from './expected-by.ts'
import { queueOnboardingJobs } from './queue-onboarding.ts'

export interface Acting {
  readonly clock: Clock
  readonly now: Date
  /** The credential or person, or `service`. */
  readonly actor: string
  readonly traceId: string
}

type Taken =
  | { readonly kind: 'advanced'; readonly step: OnboardingStep }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

export type Advance = Taken | { readonly kind: 'absent' }

export async function advanceOnboarding(
  tx: Tx,
  accountNumber: string,
  event: OnboardingEvent,
  acting: Acting,
  settings?: OnboardingSettings,
): Promise<Advance> {
  const onboarding = await lockOnboardingRow(tx, accountNumber)
  if (!onboarding) return { kind: 'absent' }
  const steps = new OnboardingSteps(onboarding)
  const taken = steps.take(event, acting, settings)
  if (taken.kind === 'advanced') steps.store(tx, taken.step.jobs)
  return taken
}

interface Decided {
  readonly step: OnboardingStep
  readonly event: OnboardingEvent
  readonly acting: Acting
  readonly from: OnboardingState
  readonly reason: string
}

/** The steps of one transaction, whose onboarding row is locked. `store` writes them. */
export class OnboardingSteps {
  readonly #before: Onboarding
  readonly #decided: Decided[] = []

  constructor(locked: Onboarding) {
    this.#before = locked
  }

  get state(): OnboardingState {
    return this.#decided.at(-1)?.step.state ?? this.#before.state
  }

  take(event: OnboardingEvent, acting: Acting, settings?: OnboardingSettings): Taken {
    const from = this.state
    const next = nextStep(from, event, settings)
    if ('rejection' in next) return { kind: 'rejected', rejection: next.rejection }
    const { step } = next
    const reason = step.reason || step.transition.description
    this.#decided.push({ step, event, acting, from, reason })
    return { kind: 'advanced', step }
  }

  /** Enters an account that opens for reviews. After an answered follow-up, the review comes earlier. */
  #lookAtYear(tx: Tx, { step, acting }: Decided, isEntered: boolean): void {
    if (step.state.accountStatus !== 'Open') return
    const { account_number: accountNumber, firm_id: firmId } = this.#before
    if (this.#before.state.accountStatus !== 'Open') {
      if (!isEntered) markForReview(tx, accountNumber, firmId)
    } else if (this.#decided.some(({ event }) => event.kind.startsWith('follow-up-'))) {
      queueReview(tx, { accountNumber, firmId, traceId: acting.traceId })
    }
  }

  /**
   * Stores the steps and their effects. `jobs` are the jobs to be queued. `isEntered`: the caller enters an account
   * that opens for reviews.
   */
  store(tx: Tx, jobs: readonly OnboardingJob[], isEntered = false): void {
    const last = this.#decided.at(-1)
    if (last === undefined) return
    const { account_number: accountNumber, firm_id: firmId } = this.#before
    const events = this.#decided.flatMap(eventsOf)
    const moving = this.#decided.find(movesStatus)
    if (moving !== undefined) moveStatus(tx, accountNumber, moving, events.length)
    writeOnboardingSteps(
      tx,
      this.#before,
      this.#decided.map(({ step, acting, reason }) => ({
        state: step.state,
        at: acting.now,
        actor: acting.actor,
        reason,
      })),
    )
    const { clock, now: at, traceId } = last.acting
    writeEvents(tx, { firmId, accountNumber, at, traceId, isCounted: moving !== undefined }, events)
    this.#lookAtYear(tx, last, isEntered)
    queueOnboardingJobs(tx, { clock }, { firmId, accountNumber, traceId }, jobs)
    writeAuditRow(tx, auditRowOf(this.#before, this.#decided, last))
  }
}

function movesStatus({ step, from }: Decided): boolean {
  const { accountStatus } = step.transition
  return accountStatus !== null && accountStatus !== from.accountStatus
}

/**
 * Moves the account out of Pending, once. The account's row is also written once: a second update in the
 * transaction would check its foreign keys again.
 */
function moveStatus(tx: Tx, accountNumber: string, { step, event, acting }: Decided, events: number) {
  const to = step.state.accountStatus
  const by = { actor: acting.actor, operation: `onboarding.${event.kind}`, traceId: acting.traceId }
  writeStatusMove(tx, accountNumber, { from: 'Pending', to, events }, acting.now, by)
}

const waitingNotices: ReadonlySet<NoticeType> = new Set([
  'application.action_required',
  'application.manual_review',
])

function eventsOf({ step, acting }: Decided): Pick<NewEvent, 'type' | 'content'>[] {
  return step.notices.map(({ type, content }) => ({
    type,
    content: waitingNotices.has(type)
      ? { ...content, expectedBy: expectedBy(step.state, acting.now.toISOString()) }
      : content,
  }))
}

/** Writes one audit row for a transaction, with its steps. */
function auditRowOf(
  { account_number: accountNumber, firm_id: firmId, state: before }: Onboarding,
  decided: readonly Decided[],
  { step, event, acting, reason }: Decided,
): AuditRow {
  const steps = decided.map(({ event, step }) => ({
    step: event.kind === 'stage-ended' ? event.stage : event.kind,
    to: step.state.currentState,
    ...(step.reason ? { reason: step.reason } : {}),
  }))
  return {
    firmId,
    at: acting.now,
    actor: acting.actor,
    action: `onboarding.${event.kind}`,
    accountNumber,
    traceId: acting.traceId,
    detail: maskPersonalNumbers({
      from: before.currentState,
      to: step.state.currentState,
      ...(steps.length > 1 ? { steps } : { reason }),
    }),
  }
}
