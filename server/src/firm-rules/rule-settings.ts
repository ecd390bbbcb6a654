/** The inputs of the account rules that come from the running request. */
import type { RuleSettings } from '@clearing/domain'
import { magicTaxIds } from '@clearing/domain'
import { easternDay } from '../store/books/calendar.ts'
import type { FirmContext } from './context.ts'

const none: ReadonlySet<string> = new Set()

export function ruleSettings(context: FirmContext): RuleSettings {
  return {
    today: easternDay(context.now),
    magicTaxIds: context.parts.sandbox ? magicTaxIds : none,
    refusedPaths: context.refused.paths,
  }
}
