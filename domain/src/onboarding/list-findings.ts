/**
 * The findings of account policy with their effects and sources. A finding that led to a follow-up is stored with it;
 * remarks are computed from the current record.
 */
import { type AccountRule, type RuleEffect, renewalKinds } from '@clearing/protocol/values'
import { accountRuleOf, type Finding } from '../account/policy/finding.ts'
import { isLate } from './follow-ups.ts'
import type { FollowUp } from './onboarding-state.ts'

export interface AccountFinding {
  readonly rule: AccountRule
  readonly effect: RuleEffect
  readonly field: string
  readonly reason: string
  readonly source: string
  /** ID of the follow-up that requests the missing fact or waits for a decision; empty for a remark. */
  readonly followUpId: string
}

/**
 * The findings of the follow-ups in their order, then the remarks among the `current` findings that belong to no
 * follow-up.
 */
export function listFindings(
  followUps: readonly FollowUp[],
  current: readonly Finding[],
): readonly AccountFinding[] {
  const acted = followUps.flatMap((followUp) =>
    (followUp.found ?? []).map(({ rule, field, reason }) => ({
      rule,
      effect: effectOf(followUp, rule),
      field,
      reason,
      source: accountRuleOf(rule).source,
      followUpId: followUp.id,
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
    }))
  return [...acted, ...noted]
}

function effectOf(followUp: FollowUp, rule: AccountRule): RuleEffect {
  if (followUp.kind === 'Review') return 'review'
  const restricts = renewalKinds.some((kind) => kind.rule === rule && kind.restricts !== '')
  return restricts && isLate(followUp) ? 'restrict' : 'ask'
}
