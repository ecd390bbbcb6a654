/**
 * The findings of account policy with their effects and sources. A finding that led to a follow-up is stored with it,
 * and is marked when the record does not have it any more; remarks are computed from the current record.
 */
import { type AccountRule, type RuleEffect, renewalKinds } from '@clearing/protocol/values'
import { accountRuleOf, type Finding } from '../account/policy/finding.ts'
import { isLate, isSameFinding } from './follow-ups.ts'
import type { FollowUp } from './onboarding-state.ts'
import type { Found } from './stage-outcome.ts'

export interface AccountFinding {
  readonly rule: AccountRule
  readonly effect: RuleEffect
  readonly field: string
  readonly reason: string
  readonly source: string
  /** ID of the follow-up that requests the missing fact or waits for a decision; empty for a remark. */
  readonly followUpId: string
  /** Whether the record does not have it any more. A decision on it may be due nevertheless. */
  readonly ended: boolean
}

/**
 * The findings of the follow-ups in their order, then the remarks among the `current` findings that belong to no
 * follow-up. `inRecord` are the findings of the present record by the rules of an application.
 */
export function listFindings(
  followUps: readonly FollowUp[],
  current: readonly Finding[],
  inRecord: readonly Omit<Found, 'reason'>[],
): readonly AccountFinding[] {
  const isEnded = (one: Found) =>
    isOfRecord(one.rule) && !inRecord.some((present) => isSameFinding(one, present))
  const acted = followUps.flatMap((followUp) =>
    (followUp.found ?? []).map((found) => ({
      rule: found.rule,
      effect: effectOf(followUp, found.rule),
      field: found.field,
      reason: found.reason,
      source: accountRuleOf(found.rule).source,
      followUpId: followUp.id,
      ended: isEnded(found),
    })),
  )
  const known = new Set(acted.map(({ rule, field }) => `${rule} ${field}`))
  const noted = current
    .filter(({ effect, rule, field }) => effect === 'note' && !known.has(`${rule} ${field}`))
    .map(({ rule, effect, field, reason, source }) => ({
      rule,
      effect,
      field,
      reason,
      source,
      followUpId: '',
      ended: false,
    }))
  return [...acted, ...noted]
}

/** Whether the record alone tells if the rule finds something: not only the day, or the change of a birth date. */
function isOfRecord(rule: AccountRule): boolean {
  return accountRuleOf(rule).effects.opening !== undefined && rule !== 'BirthDateOfMinor'
}

function effectOf(followUp: FollowUp, rule: AccountRule): RuleEffect {
  if (followUp.kind === 'Review') return 'review'
  const restricts = renewalKinds.some((kind) => kind.rule === rule && kind.restricts !== '')
  return restricts && isLate(followUp) ? 'restrict' : 'ask'
}
