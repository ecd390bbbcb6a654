/** The columns of a security whose values come from feeds. */

/** Facts that a feed gives, in the order of the table. The service sets the other columns. */
export const securityFacts = [
  'cusip',
  'isin',
  'sedol',
  'symbol',
  'description',
  'sec_type_code',
  'sec_type_name',
  'type_class_code',
  'new_sec_code',
  'industry_group_code',
  'industry_group_name',
  'currency',
  'is_off_shore',
  'offshore_share_class',
  'current_factor',
  'marginable',
  'multiplier',
  'price_divisor',
  'coupon_rate',
  'coupon_frequency',
  'day_count',
  'issue_date',
  'maturity_date',
  'underlying',
  'put_call',
  'strike',
  'expiration',
  'money_market',
  'lot_method',
  'house_long_percent',
  'converts_to',
  'conversion_ratio',
] as const
/**
 * Facts with a table of their own. Versions from before that table lack them, and a version has them only when they are
 * known.
 */
export const conversionFacts = ['converts_to', 'conversion_ratio'] as const satisfies readonly SecurityFact[]
export type SecurityFact = (typeof securityFacts)[number]

const conversions: readonly string[] = conversionFacts
export function isOfConversion(name: string): boolean {
  return conversions.includes(name)
}

/** A column of `clearing.security`, or the subquery for a fact of its conversion. */
export function securityColumn(name: string): string {
  return isOfConversion(name)
    ? `(select ${name} from clearing.conversion_terms as terms where terms.sec_no = security.sec_no)`
    : `security.${name}`
}
