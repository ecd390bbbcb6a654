/**
 * Derives the kind of a security from the name of its type. The one-letter type codes of feeds have no common list,
 * so the name decides. A name such as `Bond` does not name the issuer and has no row.
 */

export type DebtClass =
  | 'Treasury'
  | 'Agency'
  | 'HighlyRatedSovereign'
  | 'Municipal'
  | 'InvestmentGrade'
  | 'OtherDebt'

/** `Fund` is priced once a day by its issuer; `Stock` is everything that trades as stock, exchange-traded funds too. */
export type NamedType = 'Fund' | 'Stock' | DebtClass

/**
 * The first row that matches counts: a `Treasury ETF` is stock, and a `U.S. Government Agency Bond` is of an agency.
 */
const namedTypes: readonly (readonly [NamedType, RegExp])[] = [
  ['Fund', /mutual fund|money market|open.?end/i],
  ['Stock', /\b(etf|etn|stock|adr|reit)s?\b|\bexchange.traded|\bclosed.?end|\bfunds?\b|\bpreferred\b/i],
  ['HighlyRatedSovereign', /\bhighly.rated.*\b(sovereign|foreign government)/i],
  ['OtherDebt', /\bforeign\b|\bsovereign\b|\bsupranational\b/i],
  // The issuers whose debt the Secretary of the Treasury designated as exempted (15 USC 78c(a)(42)(B), (C)).
  [
    'Agency',
    /\bagency|\bagencies|\bgovernment.sponsored|\bgse\b|\b(fannie|ginnie) mae\b|\bfreddie mac\b|\b(fnma|gnma|fhlmc|fhlb|ffcb)\b|\bfederal home loan\b|\bfederal farm credit\b|\btennessee valley\b/i,
  ],
  [
    'Treasury',
    /\btreasur(y|ies)\b|\bt-(bill|note|bond)s?\b|\btips\b|\b(u\.?s\.?|united states) government\b/i,
  ],
  ['Municipal', /\bmuni/i],
  ['InvestmentGrade', /\binvestment.grade/i],
  ['OtherDebt', /\bcorporate\b|\bhigh.yield\b|\bcertificates? of deposit\b|\bcommercial paper\b/i],
]

/** Undefined for a name that says none of these, and for no name. */
export function namedType(secTypeName: string): NamedType | undefined {
  return namedTypes.find(([, name]) => name.test(secTypeName))?.[0]
}

/** Debt by its name. */
export function namedDebt(secTypeName: string): DebtClass | undefined {
  const named = namedType(secTypeName)
  return named === 'Fund' || named === 'Stock' ? undefined : named
}
