/**
 * The entitlements that an application asked for, and that an approved agreement of it completes: margin for an option
 * level that needs it, and the lowest level for options without a level. A pure function; decision 238.
 */
import type { AccountRule } from '@clearing/protocol/values'
import type { FieldChange } from '../account/merge-blocks.ts'
import { hasMargin, optionLevelOf } from '../account/policy/entitlements.ts'
import type { AccountRecord, Main } from '../account/record.ts'
import type { FollowUp } from './onboarding-state.ts'

/** Covered calls and cash-secured puts. */
const lowestLevel = '1'

interface Completed {
  readonly field: 'marginIndicator' | 'optionTradingLevel'
  readonly to: string
  readonly isMissing: (main: Main) => boolean
}

/** By the rule whose follow-up the agreement answers. */
const completions: Partial<Record<AccountRule, Completed>> = {
  OptionLevelNeedsMargin: { field: 'marginIndicator', to: 'true', isMissing: (main) => !hasMargin(main) },
  OptionLevelKnown: {
    field: 'optionTradingLevel',
    to: lowestLevel,
    isMissing: (main) => main.optionTradingIndicator === 'true' && optionLevelOf(main) === 0,
  },
}

/** No changes if no agreement of the application was approved, or if the record has what it is for. */
export function completeEntitlements(
  record: AccountRecord,
  followUps: readonly FollowUp[],
): { readonly amended: AccountRecord; readonly changes: readonly FieldChange[] } {
  const changes: FieldChange[] = []
  let { main } = record
  for (const { kind, status, found = [] } of followUps) {
    if (kind !== 'Document' || status !== 'Accepted') continue
    for (const { rule } of found) {
      const completed = completions[rule]
      if (completed === undefined || !completed.isMissing(main)) continue
      const { field, to } = completed
      changes.push({ field: `main.${field}`, from: main[field], to })
      main = { ...main, [field]: to }
    }
  }
  return { amended: { ...record, main }, changes }
}
