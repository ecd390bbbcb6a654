/**
 * Decides what a day brings for the facts of an account that fall due: a follow-up on the day itself, a restriction if
 * the answer is late, and the end of both when the answer arrives or the record asks no more. A second review on the
 * same day has the same result.
 */
import type { CodeOf, RenewalKind } from '@clearing/protocol'
import { addDays } from '../../market/calendar/day.ts'
import { isLate, isUnsettled, isWritten } from '../../onboarding/follow-ups.ts'
import type { FollowUp } from '../../onboarding/onboarding-state.ts'
import type { FollowUpRequest, RenewalRequest } from '../../onboarding/stage-outcome.ts'
import { proofsOfAuthority } from '../policy/authority.ts'
import { earlierDueBy, taxForms } from './asked-before.ts'
import { type DueItem, renewalKindOf } from './falls-due.ts'
import type { Question } from './is-answered.ts'

/** A stored renewal of an account. */
export interface Renewal {
  readonly kind: RenewalKind
  readonly subject: string
  readonly field: string
  readonly listedOn: string
  readonly state: CodeOf<'renewalState'>
  /** Empty before a follow-up is opened. */
  readonly followUpId: string
  /** The day by which an answer is due; null before a follow-up is opened. */
  readonly dueOn: string | null
  /** Whether operations requested it, independently of the record. */
  readonly requested: boolean
}

export interface ReviewFacts {
  /** The day of the review, US Eastern. */
  readonly day: string
  readonly kept: readonly Renewal[]
  readonly followUps: readonly FollowUp[]
  /** How many documents of a kind are approved. They count when the kind is reviewed for the first time. */
  readonly shownBefore?: ReadonlyMap<RenewalKind, number>
  /** Whether the record still asks what it does not lack any more (`isAnswered`). */
  readonly isAnswered: (question: Question) => boolean
  /** The US Eastern day of an instant. */
  readonly dayOf: (instant: string) => string
}

export interface YearReview {
  readonly renewals: readonly Renewal[]
  /** The follow-ups to open. `renewals` has each of them as Asked, without the id of its follow-up. */
  readonly asks: readonly (RenewalRequest & Pick<Renewal, 'kind' | 'subject'>)[]
  /** Follow-ups that were not answered in time. */
  readonly expired: readonly string[]
  /** Follow-ups whose answer is there. */
  readonly settled: readonly string[]
  /** Follow-ups that the record asks for no more. */
  readonly withdrawn: readonly string[]
  /** The day of the next review; null if only a change of the account leads to one. */
  readonly reviewOn: string | null
}

type Outcome = {
  readonly renewal: Renewal | undefined
  readonly ask?: DueItem
  readonly expired?: string
  readonly settled?: string
  readonly withdrawn?: string
  readonly reviewOn?: string
}

/**
 * Compares the facts that fall due with the stored renewals, and returns the renewals to store and their effects.
 */
export function reviewYear(due: readonly DueItem[], facts: ReviewFacts): YearReview {
  const items = [...due, ...findUnrecorded(due, facts)]
  const known = items.map((item) => ({ item, kept: facts.kept.find((one) => isSame(one, item)) }))
  const gone = facts.kept.filter((kept) => !items.some((item) => isSame(kept, item)))
  const outcomes = [
    ...known.map(({ item, kept }) =>
      isShownBefore(item, items, facts) ? settleShown(item, kept, facts) : reviewItem(item, kept, facts),
    ),
    ...gone.map((kept) => reviewGone(kept, facts)),
  ]
  const days = outcomes.flatMap(({ reviewOn }) => reviewOn ?? []).sort()
  const ofOpening = findEndedOfOpening(items, facts)
  const renewals = outcomes.flatMap(({ renewal }) => renewal ?? [])
  // Two renewals may wait for one follow-up, such as an instruction of the owner. It ends with the last of them.
  const awaited = new Set(renewals.flatMap((one) => (one.state === 'Settled' ? [] : one.followUpId)))
  const endedBy = (how: 'settled' | 'withdrawn') =>
    [...new Set([...outcomes, ...ofOpening].flatMap((one) => one[how] ?? []))].filter(
      (id) => !awaited.has(id),
    )
  const withdrawn = endedBy('withdrawn')
  const asking = { day: facts.day, followUps: facts.followUps, withdrawn: new Set(withdrawn) }
  return {
    renewals,
    asks: outcomes.flatMap(({ ask }) => {
      if (ask === undefined) return []
      const dueBy = earlierDueBy(ask, asking)
      return { ...requestOf(ask), ...(dueBy !== undefined && { dueBy }) }
    }),
    expired: [...new Set(outcomes.flatMap(({ expired }) => expired ?? []))],
    settled: endedBy('settled'),
    withdrawn,
    reviewOn: days[0] ?? null,
  }
}

/** Identifications whose renewal was approved, and that the record still has as they were. */
function findUnrecorded(items: readonly DueItem[], { day, kept, followUps }: ReviewFacts): DueItem[] {
  return items.flatMap((item) => {
    const stored = kept.find((one) => isSame(one, item))
    const isAccepted = followUps.some(({ id, status }) => id === stored?.followUpId && status === 'Accepted')
    if (item.kind !== 'IdentityDocument' || item.fallsOn > day || hasMoved(item, stored) || !isAccepted)
      return []
    const reason = 'The renewed identification is approved: enter its number, place and dates in the record.'
    return [{ ...item, kind: 'IdentityRecord', asks: 'FieldCompletion', reason }]
  })
}

type Ended = Pick<Outcome, 'settled' | 'withdrawn'>

/**
 * Follow-ups of the opening for a tax form that is not missing: it was approved before the account opened, or the
 * record asks for another one.
 */
function findEndedOfOpening(items: readonly DueItem[], facts: ReviewFacts): Ended[] {
  const { kept, followUps } = facts
  return followUps
    .filter((one) => taxForms.has(one.code) && one.blocking === false && isUnsettled(one))
    .filter(({ code, field }) => !items.some((item) => item.asks === code && item.field === field))
    .filter(({ id }) => !kept.some(({ followUpId }) => followUpId === id))
    .map((one) => endOf(one.id, { kind: one.code as RenewalKind, field: one.field }, facts))
}

function endOf(followUpId: string, question: Question, facts: ReviewFacts): Ended {
  return facts.isAnswered(question) ? { settled: followUpId } : { withdrawn: followUpId }
}

/**
 * Whether a document that was approved before the kind was first reviewed answers for the item: one document for each
 * item, in their order. Later items are asked for.
 */
function isShownBefore(
  item: DueItem,
  items: readonly DueItem[],
  { kept, shownBefore }: ReviewFacts,
): boolean {
  const { kind } = item
  const stored = kept.filter((one) => one.kind === kind)
  const own = stored.find((one) => isSame(one, item))
  if (own !== undefined) return isSettledUnasked(own)
  if (stored.length > 0) return stored.some((one) => namesEarlier(one, item))
  return items.filter((one) => one.kind === kind).indexOf(item) < (shownBefore?.get(kind) ?? 0)
}

function isSettledUnasked({ state, followUpId }: Renewal): boolean {
  return state === 'Settled' && followUpId === ''
}

/** The document of a person also names the persons of its kind who stand before, and who act without the former now. */
function namesEarlier({ kind, state, field }: Renewal, item: DueItem): boolean {
  return jointly.has(kind) && state === 'Settled' && positionOf(item.field) < positionOf(field)
}

/** Kinds whose document names all persons together. */
const jointly: ReadonlySet<RenewalKind> = new Set(['LettersDocument', 'ResolutionDocument', 'TrustDocument'])

/** Parties keep their positions. */
function positionOf(field: string): number {
  return Number(/\[(\d+)\]/.exec(field)?.[1] ?? -1)
}

function settleShown(item: DueItem, kept: Renewal | undefined, facts: ReviewFacts): Outcome {
  const { kind, subject, field, listedOn } = item
  const followUp = followUpOf(item, kept, facts)
  const renewal: Renewal = {
    kind,
    subject,
    field,
    listedOn,
    state: 'Settled',
    followUpId: followUp?.id ?? '',
    dueOn: null,
    requested: false,
  }
  return { renewal, ...(followUp !== undefined ? { settled: followUp.id } : {}) }
}

function isSame(kept: Renewal, { kind, subject }: DueItem): boolean {
  return kept.kind === kind && kept.subject === subject
}

/** The follow-up that requests an item from the firm. */
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
    if (item.fallsOn > day) return coming
    return { renewal: { ...base, state: 'Asked' }, ask: item }
  }
  const isOpen = isUnsettled(followUp)
  // The record has a later date, or a form of a foreign owner was received before the last one lapsed, or before the
  // account opened: the follow-up is answered.
  const isFormThere = isForeignForm(item.kind) && (!isOpen || kept === undefined)
  if (item.fallsOn > day && (hasMoved(item, kept) || isFormThere)) {
    return { ...coming, ...(isOpen ? endOf(followUp.id, kept ?? item, facts) : {}) }
  }
  const asked: Renewal = {
    ...base,
    state: kept?.state === 'Overdue' ? 'Overdue' : 'Asked',
    followUpId: followUp.id,
    dueOn: followUp.dueBy === null ? null : facts.dayOf(followUp.dueBy),
  }
  if (!isOpen || isDeclined(item.kind, followUp)) {
    const settled: Renewal = { ...asked, state: 'Settled', requested: false }
    // A renewal that came before the day is asked to be entered in the record on the day.
    const later = item.kind === 'IdentityDocument' && item.fallsOn > day ? { reviewOn: item.fallsOn } : {}
    return { renewal: settled, ...(isOpen ? { settled: followUp.id } : {}), ...later }
  }
  return awaitAnswer(asked, followUp, item.fallsOn, facts)
}

function isForeignForm(kind: RenewalKind): boolean {
  return kind === 'W8Certification' || kind === 'W8EntityCertification'
}

/** A birthday is reviewed on each day of its month, because only the month is stored unencrypted. */
function comingOn({ listedOn }: DueItem, day: string): string {
  return listedOn > day ? listedOn : addDays(day, 1)
}

function hasMoved({ listedOn }: DueItem, kept: Renewal | undefined): boolean {
  return kept !== undefined && kept.listedOn !== listedOn
}

/**
 * The follow-up that asks for the item: the stored one, or an unsettled one of the same field, such as that of the
 * opening. A follow-up that was answered belongs to the previous date.
 */
function followUpOf(
  item: DueItem,
  kept: Renewal | undefined,
  { followUps, dayOf }: ReviewFacts,
): FollowUp | undefined {
  const asked = followUps.find(({ id }) => id === kept?.followUpId)
  if (
    asked !== undefined &&
    (isUnsettled(asked) || !hasMoved(item, kept) || isInstructed(item, asked, dayOf))
  )
    return asked
  return followUps.findLast((one) => one.code === item.asks && one.field === item.field && isUnsettled(one))
}

/** An owner of age gave the instruction, although the record had another birth date then. */
function isInstructed(item: DueItem, { status, answers }: FollowUp, dayOf: ReviewFacts['dayOf']): boolean {
  const answer = answers?.at(-1)
  return (
    item.kind === 'ComingOfAge' &&
    status === 'Accepted' &&
    answer !== undefined &&
    dayOf(answer.at) >= item.fallsOn
  )
}

/** A text that answers the question for a trusted contact means that the owner declines. */
function isDeclined(kind: RenewalKind, followUp: FollowUp): boolean {
  return kind === 'TrustedContact' && followUp.status === 'Answered' && isWritten(followUp.answers?.at(-1))
}

function awaitAnswer(asked: Renewal, followUp: FollowUp, fallsOn: string, { day }: ReviewFacts): Outcome {
  // An answer that operations are reviewing is not late. A text alone does not replace a document.
  const looked = followUp.status === 'Answered' && !isWritten(followUp.answers?.at(-1))
  if (asked.state === 'Overdue' || looked || asked.dueOn === null) return { renewal: asked }
  const lateOn = asked.dueOn >= fallsOn ? addDays(asked.dueOn, 1) : fallsOn
  if (day < lateOn) return { renewal: asked, reviewOn: lateOn }
  const expired = isLate(followUp) ? {} : { expired: followUp.id }
  return { renewal: { ...asked, state: 'Overdue' }, ...expired }
}

/** The record has no such item any more. A follow-up that operations requested still waits for its answer. */
function reviewGone(kept: Renewal, facts: ReviewFacts): Outcome {
  const followUp = facts.followUps.find(({ id }) => id === kept.followUpId)
  if (followUp === undefined || !isUnsettled(followUp)) {
    const isShown = kept.state === 'Settled' || followUp?.status === 'Accepted'
    // Kept, so that the document of a person who acted before does not answer for a person who is added later.
    const isKept = isShown && proofsOfAuthority(renewalKindOf(kept.kind).asks).length > 0
    return { renewal: isKept ? { ...kept, state: 'Settled', requested: false } : undefined }
  }
  // Only the record or a later Form W-9 ends the certification of a foreign person.
  const isNeedless = !kept.requested || kept.kind === 'W8Certification'
  if (isDeclined(kept.kind, followUp)) return { renewal: undefined, settled: followUp.id }
  if (isNeedless) return { renewal: undefined, ...endOf(followUp.id, kept, facts) }
  const dueOn = followUp.dueBy === null ? null : facts.dayOf(followUp.dueBy)
  return awaitAnswer({ ...kept, dueOn }, followUp, kept.listedOn, facts)
}
