/**
 * A finding of account policy. A rule reports a field and a reason; effect, code and source come from the table of
 * rules.
 */
import {
  type AccountRule,
  type AccountRuleRow,
  accountRules,
  type ErrorCode,
  type FollowUpCodeRow,
  type RuleEffect,
  type RuleMoment,
} from '@clearing/protocol/values'

/** One finding on an account. */
export interface Finding {
  readonly rule: AccountRule
  readonly effect: RuleEffect
  /** Dotted path of the field at fault, or empty. */
  readonly field: string
  /** A sentence that says what is missing or wrong; it repeats no personal number. */
  readonly reason: string
  /** The authority of the rule. */
  readonly source: string
  /** The code of the error catalogue, for a finding that refuses. */
  readonly code: ErrorCode | ''
  /** The code of the follow-up, for a finding that asks. */
  readonly asks: FollowUpCodeRow['value'] | ''
  /** Whether the opening waits for the answer. */
  readonly holdsUp: boolean
}

/** Reports that a rule is broken at a field. */
export type Report = (rule: AccountRule, field: string, reason: string) => void

const rows: ReadonlyMap<AccountRule, AccountRuleRow> = new Map(accountRules.map((row) => [row.value, row]))

/** The row of a rule: its label, effects and source. */
export function accountRuleOf(rule: AccountRule): AccountRuleRow {
  const row = rows.get(rule)
  if (row === undefined) throw new Error(`${rule} is not a rule of accounts`)
  return row
}

/** The finding of a broken rule, or undefined if the rule does not apply at the moment. */
export function findingOf(
  rule: AccountRule,
  field: string,
  reason: string,
  asked: { readonly moment: RuleMoment; readonly sandbox: boolean },
): Finding | undefined {
  const { effects, sandbox, source, code, asks, holdsUp } = accountRuleOf(rule)
  const usual = effects[asked.moment]
  if (usual === undefined) return undefined
  const effect = asked.sandbox && sandbox !== '' ? sandbox : usual
  return {
    rule,
    effect,
    field,
    reason,
    source,
    code: effect === 'refuse' ? code : '',
    asks: effect === 'ask' ? asks : '',
    holdsUp,
  }
}
