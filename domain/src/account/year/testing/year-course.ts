/** For tests: an account over a sequence of days, and the facts that fall due for it. */
import assert from 'node:assert/strict'
import { nextStep } from '../../../onboarding/decide-onboarding.ts'
import type { OnboardingEvent } from '../../../onboarding/onboarding-event.ts'
import type { OnboardingState } from '../../../onboarding/onboarding-state.ts'
import { ended, play, screened } from '../../../onboarding/testing/play-events.ts'
import type { Registration } from '../../policy/registration-roles.ts'
import type { AccountRecord, GovernmentIdentification, Party } from '../../record.ts'
import { rightAccount } from '../../testing/right-accounts.ts'
import { fallsDue, type YearFacts } from '../falls-due.ts'
import { isAnswered } from '../is-answered.ts'
import { type Renewal, reviewYear } from '../review-year.ts'

export const openedOn = '2026-11-20'
export const facts: YearFacts = {
  openedOn,
  w9On: openedOn,
  w8On: undefined,
  w8EntityOn: undefined,
  w8FlowThroughOn: undefined,
  ofAgeAnswers: 0,
  residenceAtTransfer: undefined,
  statedFields: new Set(['associatedParties']),
  magicTaxIds: new Set(['000000004']),
}

export function owned(registration: Registration, changes: Partial<Party>): AccountRecord {
  const record = rightAccount(registration)
  return { ...record, primaryOwner: { ...record.primaryOwner, customerId: '1', ...changes } }
}
export function ids(...expirations: (string | undefined)[]): GovernmentIdentification {
  const [one, two] = expirations.map((idExpiration) => ({
    idType: 'Passport',
    idNumber: 'P1',
    ...(idExpiration === undefined ? {} : { idExpiration }),
  }))
  return { ...(one && { governmentId1: one }), ...(two && { governmentId2: two }) }
}

/** An account over a sequence of days, as the service stores it. */
export class Course {
  record: AccountRecord
  given: Partial<YearFacts> = {}
  renewals: readonly Renewal[] = []
  reviewOn: string | null = openedOn
  state: OnboardingState
  constructor(record: AccountRecord, given: Partial<YearFacts> = {}) {
    this.record = record
    this.given = given
    const stages = ['AccountCreation', 'MailingAddress', 'TrustedContact', 'ElectronicDelivery'] as const
    this.state = play([...screened, ...stages.map((stage) => ended(stage))]).state
  }
  take(event: { readonly kind: OnboardingEvent['kind'] } & Record<string, unknown>, day: string): void {
    const next = nextStep(this.state, { by: 'service', at: `${day}T22:00:00Z`, ...event } as never)
    if ('rejection' in next) assert.fail(next.rejection.reason)
    this.state = next.step.state
  }
  /** The outcome of the review of a day. A second review of the same day has no outcome. */
  review(day: string): string[] {
    const first = this.#once(day)
    assert.deepEqual(this.#once(day), [])
    return first
  }
  #once(day: string): string[] {
    const answered = this.state.followUps.filter(
      ({ code, status }) => code === 'OwnerInstruction' && status === 'Accepted',
    )
    const days = answered.flatMap(({ answers }) => answers?.at(-1)?.at.slice(0, 10) ?? []).sort()
    const ofAge = { ofAgeAnswers: answered.length, ofAgeAnsweredOn: days.at(-1) }
    const known = { ...facts, ...ofAge, ...this.given }
    const items = fallsDue(this.record, known)
    const ask = () =>
      reviewYear(items, {
        day,
        kept: this.renewals,
        followUps: this.state.followUps,
        isAnswered: (question) => isAnswered(this.record, known, question),
        dayOf: (at) => at.slice(0, 10),
      })
    const done: string[] = []
    // The second round has the follow-ups of the first.
    for (const _ of [1, 2]) {
      const found = ask()
      for (const followUpId of found.withdrawn)
        this.take({ kind: 'renewal-withdrawn', followUpId, on: day }, day)
      if (found.asks.length > 0) this.take({ kind: 'renewal-asked', requests: found.asks }, day)
      for (const followUpId of found.expired) this.take({ kind: 'renewal-expired', followUpId }, day)
      for (const followUpId of found.settled) this.take({ kind: 'renewal-settled', followUpId }, day)
      this.renewals = found.renewals
      this.reviewOn = found.reviewOn
      done.push(
        ...found.asks.map(({ code }) => `asked ${code}`),
        ...found.expired.map((id) => `expired ${id}`),
        ...found.settled.map((id) => `settled ${id}`),
        ...found.withdrawn.map((id) => `withdrawn ${id}`),
      )
    }
    return done
  }
  get states(): string {
    return this.renewals.map(({ kind, state }) => `${kind} ${state}`).join(', ')
  }
}
