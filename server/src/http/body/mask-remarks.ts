/**
 * Tax ids in texts that people write freely (notes, reasons, comments, descriptions, titles, names of documents and
 * files) are masked to their last four digits before anything is stored, because these texts are not encrypted and are
 * shown without a record of access. The response names the masked members.
 */

const remarks = [
  'reason',
  'text',
  'comments',
  'displayName',
  'reference',
  'description',
  'title',
  'note',
] as const
/** Members that have remarks of their own, or are lists of such. */
const holders = ['acceptOpen', 'requests'] as const

// Hyphens and dashes, which word processors replace; spaces, points and underscores.
const separator = String.raw`[-\u2010-\u2015\u2212 \u00a0._]`
// 219-09-9998, 219 09 9998, 219.09.9998 and 219_09_9998; the separators are equal, and no digit is adjacent.
const separated = new RegExp(
  String.raw`(?<!\d|\d${separator})\d{3}(${separator})\d{2}\1(\d{4})(?!\d|${separator}\d)`,
  'g',
)
// SSN 219099998, "Tax id: 219099998", itin_912701234, EIN 12-3456789. A name such as Holstein is not an EIN.
const words = String.raw`ssn|itin|tin|(?<!\p{L})f?ein|(?:tax|employer)[ -]?id(?:entification)?|social security`
const named = new RegExp(
  String.raw`((?:${words})[^\p{L}\d]{0,5}(?:(?:no|nr|number|is)[^\p{L}\d]{1,3})?)\d{2}[-\u2010-\u2015\u2212]?\d{3}(\d{4})(?!\d)`,
  'giu',
)

export function maskTaxIds(text: string): string {
  return text.replace(separated, '***-**-$2').replace(named, '$1*****$2')
}

/** Masks in place, and returns the paths of the masked members. */
export function maskRemarks(request: unknown): string[] {
  const members = request as Record<string, unknown>
  const inner = holders.flatMap((holder) => {
    const held = members[holder]
    if (!Array.isArray(held)) return maskMembers(held).map((name) => `${holder}.${name}`)
    return held.flatMap((item, at) => maskMembers(item).map((name) => `${holder}[${at}].${name}`))
  })
  return [...maskMembers(members), ...inner]
}

/** Other values than objects have no members. */
function maskMembers(of: unknown): string[] {
  if (typeof of !== 'object' || of === null) return []
  const members = of as Record<string, unknown>
  return remarks.filter((name) => {
    const text = members[name]
    if (typeof text !== 'string') return false
    const masked = maskTaxIds(text)
    members[name] = masked
    return masked !== text
  })
}

/** Undefined if nothing was masked. */
export function renderMasked(names: readonly string[]): string | undefined {
  return names.length === 0
    ? undefined
    : `Tax ids in ${names.join(', ')} were masked to their last four digits; send them only in the fields for tax ids.`
}
