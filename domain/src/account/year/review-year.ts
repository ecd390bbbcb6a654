/**
 * What is to be done on a day about what falls due of an account: asked for when its day has come, the account restricted when the
 * answer is late, everything lifted when it is there. Pure: done twice on one day it comes to the same.
 */
import type { CodeOf, RenewalKind } from '@clearing/protocol'
import { isLate, isUnsettled, isWritten } from '../../onboarding/follow-ups.ts'
import type { FollowUp } from '../../onboarding/onboarding-state.ts'
import type { FollowUpRequest } from '../../onboarding/stage-outcome.ts'
import { dayAfter } from './days.ts'
import { type DueItem, renewalKindOf } from './falls-due.ts'

/** A renewal as it is kept beside the account. */
export interface Renewal {
  readonly kind: RenewalKind
  readonly subject: string
  readonly field: string
  readonly listedOn: string
  readonly state: CodeOf<'renewalState'>
  /** Empty while nothing was asked. */
  readonly followUpId: string
  /** The day by which an answer is due; null while nothing was asked. */
  readonly dueOn: string | null
  /** Operations asked for it, whatever the record says. */
  readonly requested: boolean
}

export interface ReviewFacts {
  /** The day on which it is looked at, US Eastern. */
  readonly day: string
  readonly kept: readonly Renewal[]
  readonly followUps: readonly FollowUp[]
  /** The US Eastern day of an instant. */
  readonly dayOf: (instant: string) => string
}

export interface YearReview {
  readonly renewals: readonly Renewal[]
  /** Asked now. The renewal of each is among `renewals`, Asked and without a follow-up yet. */
  readonly asks: readonly (FollowUpRequest & Pick<Renewal, 'kind' | 'subject'>)[]
  /** Follow-ups that were not answered in time. */
  readonly expired: readonly string[]
  /** Follow-ups that need no answer any more. */
  readonly settled: readonly string[]
  /** When the account is to be looked at again; null: when something of it changes. */
  readonly reviewOn: string | null
}

type Outcome = {
  readonly renewal: Renewal | undefined
  readonly ask?: DueItem
  readonly expired?: string
  readonly settled?: string
  readonly reviewOn?: string
}

export function reviewYear(items: readonly DueItem[], facts: ReviewFacts): YearReview {
  const known = items.map((item) => ({ item, kept: facts.kept.find((one) => isSame(one, item)) }))
  const gone = facts.kept.filter((kept) => !items.some((item) => isSame(kept, item)))
  const outcomes = [
    ...known.map(({ item, kept }) => reviewItem(item, kept, facts)),
    ...gone.map((kept) => reviewGone(kept, facts)),
  ]
  const days = outcomes.flatMap(({ reviewOn }) => reviewOn ?? []).sort()
  return {
    renewals: outcomes.flatMap(({ renewal }) => renewal ?? []),
    asks: outcomes.flatMap(({ ask }) => (ask === undefined ? [] : requestOf(ask))),
    expired: outcomes.flatMap(({ expired }) => expired ?? []),
    settled: outcomes.flatMap(({ settled }) => settled ?? []),
    reviewOn: days[0] ?? null,
  }
}

function isSame(kept: Renewal, { kind, subject }: DueItem): boolean {
  return kept.kind === kind && kept.subject === subject
}

/** What is asked of the firm for an item. */
export function requestOf({ asks, field, reason, kind, subject }: DueItem): YearReview['asks'][number] {
  const { rule } = renewalKindOf(kind)
  return { code: asks as FollowUpRequest['code'], field, reason, rule, kind, subject }
}

function reviewItem(item: DueItem, kept: Renewal | undefined, facts: ReviewFacts): Outcome {
  const { day } = facts
  const base: Renewal = {
    kind: item.kind,
    subject: item.subject,
    field: item.field,
    listedOn: item.listedOn,
    state: 'Coming',
    followUpId: '',
    dueOn: null,
    requested: kept?.requested ?? false,
  }
  const coming = { renewal: { ...base, requested: false }, reviewOn: comingOn(item, day) }
  const followUp = followUpOf(item, kept, facts)
  if (followUp === undefined) {
    if (kept?.state === 'Settled' && kept.listedOn === item.listedOn) return { renewal: kept }
    if (item.fallsOn > day) return coming
    return { renewal: { ...base, state: 'Asked' }, ask: item }
  }
  const isOpen = isUnsettled(followUp)
  // The record has a later date, or a new certification is there: what was asked is answered.
  if (item.fallsOn > day && (hasMoved(item, kept) || (!isOpen && isCertification(item)))) {
    return { ...coming, ...(isOpen ? { settled: followUp.id } : {}) }
  }
  const asked: Renewal = {
    ...base,
    state: kept?.state === 'Overdue' ? 'Overdue' : 'Asked',
    followUpId: followUp.id,
    dueOn: followUp.dueBy === null ? null : facts.dayOf(followUp.dueBy),
  }
  if (!isOpen || isDeclined(item.kind, followUp)) {
    const settled: Renewal = { ...asked, state: 'Settled', requested: false }
    return { renewal: settled, ...(isOpen ? { settled: followUp.id } : {}) }
  }
  return awaitAnswer(asked, followUp, item.fallsOn, facts)
}

/** A day of the month is looked for day by day, for the month alone is kept in the clear. */
function comingOn({ listedOn }: DueItem, day: string): string {
  return listedOn > day ? listedOn : dayAfter(day)
}

function hasMoved({ listedOn }: DueItem, kept: Renewal | undefined): boolean {
  return kept !== undefined && kept.listedOn !== listedOn
}

/**
 * The follow-up that asks for it: the one that is kept, or one of the same field that waits, such as that of the opening. One that
 * was answered asked for the date before.
 */
function followUpOf(
  item: DueItem,
  kept: Renewal | undefined,
  { followUps }: ReviewFacts,
): FollowUp | undefined {
  const asked = followUps.find(({ id }) => id === kept?.followUpId)
  if (asked !== undefined && (isUnsettled(asked) || !hasMoved(item, kept))) return asked
  return followUps.findLast((one) => one.code === item.asks && one.field === item.field && isUnsettled(one))
}

function isCertification({ kind }: DueItem): boolean {
  return kind === 'W8Certification' || kind === 'W9Certification'
}

/** A text that answers the question for a trusted contact means that the owner declines. */
function isDeclined(kind: RenewalKind, followUp: FollowUp): boolean {
  return kind === 'TrustedContact' && followUp.status === 'Answered' && isWritten(followUp.answers?.at(-1))
}

function awaitAnswer(asked: Renewal, followUp: FollowUp, fallsOn: string, { day }: ReviewFacts): Outcome {
  // An answer that is being looked at is not late; words alone show no document.
  const looked = followUp.status === 'Answered' && !isWritten(followUp.answers?.at(-1))
  if (asked.state === 'Overdue' || looked || asked.dueOn === null) return { renewal: asked }
  const lateOn = asked.dueOn >= fallsOn ? dayAfter(asked.dueOn) : fallsOn
  if (day < lateOn) return { renewal: asked, reviewOn: lateOn }
  const expired = isLate(followUp) ? {} : { expired: followUp.id }
  return { renewal: { ...asked, state: 'Overdue' }, ...expired }
}

/** Nothing of the record falls due any more; what operations asked for all the same is waited for. */
function reviewGone(kept: Renewal, facts: ReviewFacts): Outcome {
  const followUp = facts.followUps.find(({ id }) => id === kept.followUpId)
  if (followUp === undefined || !isUnsettled(followUp)) return { renewal: undefined }
  if (!kept.requested || isDeclined(kept.kind, followUp)) return { renewal: undefined, settled: followUp.id }
  const dueOn = followUp.dueBy === null ? null : facts.dayOf(followUp.dueBy)
  return awaitAnswer({ ...kept, dueOn }, followUp, kept.listedOn, facts)
}
