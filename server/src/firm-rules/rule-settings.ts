/** What the rules of accounts need to know of the running request. */
import type { RuleSettings } from '@clearing/domain'
import { magicTaxIds } from '@clearing/domain'
import type { FirmContext } from './context.ts'

const none: ReadonlySet<string> = new Set()

export function ruleSettings(context: FirmContext): RuleSettings {
  return {
    today: context.now.toISOString().slice(0, 10),
    magicTaxIds: context.parts.sandbox ? magicTaxIds : none,
    refusedPaths: context.refused.paths,
  }
}
