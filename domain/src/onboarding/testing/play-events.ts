/** For tests: applies events to an onboarding in order, each with the due run and its usual actor. */
import assert from 'node:assert/strict'
import { reject } from '@clearing/protocol'
import { nextStep, submitOnboarding } from '../decide-onboarding.ts'
import type { OnboardingEvent, OnboardingStep } from '../onboarding-event.ts'
import type { Actor, CurrentState, OnboardingState, StageCode } from '../onboarding-state.ts'
import { type StageOutcome, succeeded } from '../stage-outcome.ts'

export const at = '2026-03-02T10:00:00.000Z'
export function later(days: number) {
  return new Date(Date.parse(at) + days * 86_400_000).toISOString()
}

/** States in which a job of the service is queued. */
export const workingStates: readonly CurrentState[] = ['Submitted', 'Screening', 'AccountCreation']

type Plain<Event> = Event extends unknown ? Omit<Event, 'run' | 'at' | 'by'> : never
export type Then = Plain<OnboardingEvent> & { by?: Actor; at?: string }

/** Applies events in order, each with the due run. Throws if one is rejected. */
export function play(
  events: readonly Then[],
  from: OnboardingState = submitOnboarding(at).state,
): OnboardingStep {
  let step: OnboardingStep | undefined
  let state = from
  for (const given of events) {
    const by = given.by ?? authors[given.kind]
    const next = nextStep(state, { at, ...given, by, run: state.run } as OnboardingEvent)
    if ('rejection' in next) assert.fail(`${given.kind} was rejected: ${next.rejection.reason}`)
    step = next.step
    state = step.state
  }
  assert.ok(step)
  return step
}

const authors: Record<OnboardingEvent['kind'], Actor> = {
  'work-began': 'service',
  'stage-ended': 'service',
  'follow-up-answered': 'firm',
  'follow-up-accepted': 'operations',
  'follow-up-refused': 'operations',
  'follow-up-waived': 'operations',
  'record-changed': 'firm',
  'follow-ups-expired': 'service',
  'renewal-asked': 'service',
  'renewal-expired': 'service',
  'renewal-settled': 'service',
  'renewal-withdrawn': 'service',
  'owner-died': 'operations',
  approved: 'operations',
  rejected: 'operations',
  withdrawn: 'firm',
  'information-requested': 'operations',
}

export const begin: Then = { kind: 'work-began' }
export function ended(stage: StageCode, outcome: StageOutcome = succeeded()): Then {
  return {
    kind: 'stage-ended',
    stage,
    outcome,
  }
}
export const unavailable: StageOutcome = { kind: 'unavailable', reason: 'Timed out.' }
export function failed(reason: string, field?: string): StageOutcome {
  return {
    kind: 'failed',
    reason,
    errors: field === undefined ? [] : [reject('ERR.4000', field, reason)],
  }
}
export const askAddress: Extract<StageOutcome, { kind: 'asked' }> = {
  kind: 'asked',
  requests: [{ code: 'AddressDocument', field: 'primaryOwner.legalAddress', reason: 'Not verified.' }],
}
export const askTwo: StageOutcome = {
  kind: 'asked',
  requests: [
    { code: 'AddressDocument', field: 'primaryOwner.legalAddress', reason: 'Not verified.' },
    { code: 'TaxIdDocument', field: 'primaryOwner.taxIdNumber', reason: 'Not verified.' },
  ],
}
export const refer: StageOutcome = {
  kind: 'referred',
  code: 'WatchlistReview',
  reason: 'One possible match.',
}

export const screened = [begin, ended('IdentityCheck'), ended('WatchlistCheck')]
export const created = [...screened, ended('AccountCreation')]
export const addressed = [...created, ended('MailingAddress')]
export const asked = [begin, ended('IdentityCheck', askAddress)]
export const accepted: Then = { kind: 'follow-up-accepted', followUpId: 'FU-1' }

export function statuses(state: OnboardingState) {
  return state.stages.map(({ status }) => ({ Success: 'S', Failed: 'F', Pending: '-' })[status]).join('')
}
