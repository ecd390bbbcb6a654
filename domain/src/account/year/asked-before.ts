/**
 * The due time that a question had before the record withdrew it: a record that is changed and changed back wins no
 * time.
 */
import { addDays } from '../../market/calendar/day.ts'
import type { FollowUp } from '../../onboarding/onboarding-state.ts'
import type { DueItem } from './falls-due.ts'
import { isDayOfMove } from './is-answered.ts'

/** After this many days without it, a question is new. */
const sameQuestionDays = 365

/** These forms answer one question. The record determines the form on which the owner certifies the tax status. */
export const taxForms: ReadonlySet<string> = new Set([
  'W9Certification',
  'W8Certification',
  'W9OrW8Certification',
  'W8EntityCertification',
])

interface Asking {
  readonly day: string
  readonly followUps: readonly FollowUp[]
  /** The follow-ups that are withdrawn on this day. */
  readonly withdrawn: ReadonlySet<string>
}

/** Undefined for a new question: it was not asked before, was answered or waived, or had not fallen due before. */
export function earlierDueBy(item: DueItem, { day, followUps, withdrawn }: Asking): string | undefined {
  const last = followUps.findLast((one) => one.field === item.field && isSameQuestion(one.code, item.asks))
  if (last === undefined || last.dueBy === null) return undefined
  const on = withdrawn.has(last.id) ? day : last.withdrawnOn
  if (on === undefined || addDays(on, sameQuestionDays) < day) return undefined
  if (item.fallsOn > on && !isOfMove(item)) return undefined
  return last.dueBy
}

/** An address that leaves the United States and comes back is the same question with another day. */
function isOfMove({ kind, fallsOn }: DueItem): boolean {
  return kind === 'ForeignStatusEvidence' || (kind === 'W8Certification' && isDayOfMove(fallsOn))
}

function isSameQuestion(one: string, other: string): boolean {
  return one === other || (taxForms.has(one) && taxForms.has(other))
}
