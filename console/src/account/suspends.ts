/** What a restriction suspends, in words. */
import { type CodeOf, suspendedBy } from '@clearing/protocol'
import { choicesOf, labelOf } from '../design/codes.ts'

/** `withdrawals, transfers out` */
export function entitlementsInWords(suspended: readonly string[]): string {
  return suspended.map((one) => labelOf('entitlement', one).toLowerCase()).join(', ')
}

/** `Suspends withdrawals, transfers out.` */
function suspendsInWords(code: CodeOf<'restrictionCode'>): string {
  return `Suspends ${entitlementsInWords(suspendedBy[code])}.`
}

function isRestrictionCode(code: string): code is CodeOf<'restrictionCode'> {
  return Object.hasOwn(suspendedBy, code)
}

/** The codes of restrictions, each with what it suspends. */
export const restrictionChoices = choicesOf('restrictionCode').map((choice) => ({
  ...choice,
  ...(isRestrictionCode(choice.value) ? { says: suspendsInWords(choice.value) } : {}),
}))

interface Placing {
  readonly operation: string
  readonly fields: readonly { readonly field: string; readonly before: string; readonly after: string }[]
}

/** The restriction that a change places or ends, and what it suspends; undefined for other changes. */
export function restrictionOf({ fields }: Placing): { label: string; suspends: string } | undefined {
  const found = fields.find(({ field }) => field === 'restriction')
  const code = found && (found.after || found.before)
  if (code === undefined || !isRestrictionCode(code)) return undefined
  return { label: labelOf('restrictionCode', code), suspends: suspendsInWords(code) }
}
