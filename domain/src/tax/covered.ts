/**
 * Covered securities: those whose basis a broker reports to the IRS, by the kind of the security and the day of
 * acquisition. 26 USC 6045(g)(3); 26 CFR 1.6045-1(a)(14) and (15). Circumstances that the facts of a security do not
 * contain (gifts, physical certificates, elections) are not considered.
 */

import { type Decimal, ONE } from '../decimal.ts'
import { yearOf } from '../market/calendar/day.ts'
import type { SecurityKind } from '../market/index.ts'

/** The facts of a security that coverage and the forms depend on. */
export interface TaxedSecurity {
  readonly secNo: string
  readonly kind: SecurityKind
  readonly symbol: string
  readonly cusip: string
  readonly description: string
  readonly secTypeName: string
  readonly currency: string
  readonly moneyMarket: boolean
  /** Current face divided by original face; 1 unless the security is a pool. */
  readonly currentFactor: Decimal
  readonly couponRate: string | null
  readonly issueDate: string | null
  readonly maturityDate: string | null
  /** The symbol of the stock into which it converts. */
  readonly convertsTo?: string | null
}

interface CoverageRow {
  /** First day of acquisition that is covered; undefined for never. */
  readonly since: string | undefined
  readonly source: string
}

const stock: CoverageRow = {
  since: '2011-01-01',
  source: '26 CFR 1.6045-1(a)(15)(i)(A); Form 1099-B, Instructions for Recipient, box 5',
}
/** Shares of a regulated investment company. */
const fund: CoverageRow = {
  since: '2012-01-01',
  source: '26 CFR 1.6045-1(a)(15)(i)(B); Form 1099-B, Instructions for Recipient, box 5',
}
/** Debt with a fixed rate and a fixed maturity, in US dollars. */
const plainDebt: CoverageRow = {
  since: '2014-01-01',
  source: '26 CFR 1.6045-1(a)(15)(i)(C) and (n)(2)(i); T.D. 9616, 78 FR 23116',
}
/** Other debt: variable, stepped or indexed rate, convertible, stripped, in another currency. */
const complexDebt: CoverageRow = {
  since: '2016-01-01',
  source: '26 CFR 1.6045-1(a)(15)(i)(D) and (n)(2)(ii); T.D. 9616, 78 FR 23116; T.D. 9750, 81 FR 8149',
}
const option: CoverageRow = {
  since: '2014-01-01',
  source: '26 CFR 1.6045-1(a)(15)(i)(E) and (m); T.D. 9616, 78 FR 23116',
}
/** Pools and short-term obligations are not specified securities. */
const noSpecifiedDebt: CoverageRow = {
  since: undefined,
  source: '26 CFR 1.6045-1(a)(14)(ii); Instructions for Form 1099-B, box 1e, Covered security',
}

/** Funds that are traded as stock are regulated investment companies too. */
const tradedFund = /\betf\b|exchange.?traded fund|closed.?end fund/i
const complexName = /convert|inflation|\btips\b|index.?linked|float|variable|adjustable|step|strip|\bpik\b/i
const treasuryBill = /\bbills?\b/i
const treasuryBillIssuer = '91279'
const commercialPaper = /\bcommercial paper\b/i

/** The row that a security falls under. */
export function coverageRow(security: TaxedSecurity): CoverageRow {
  switch (security.kind) {
    case 'Equity':
      return tradedFund.test(security.secTypeName) ? fund : stock
    case 'Fund':
      return fund
    case 'Option':
    case 'IndexOption':
      return option
    case 'Bond':
    case 'Treasury':
    case 'Agency':
      return debtRow(security)
    default:
      return security.kind satisfies never
  }
}

function debtRow(security: TaxedSecurity): CoverageRow {
  const { currency, currentFactor, couponRate, maturityDate, description, secTypeName } = security
  if (currentFactor !== ONE || isShortTermDebt(security)) return noSpecifiedDebt
  const plain =
    currency === 'USD' &&
    Number(couponRate ?? 0) !== 0 &&
    maturityDate !== null &&
    (security.convertsTo ?? null) === null &&
    !complexName.test(`${secTypeName} ${description}`)
  return plain ? plainDebt : complexDebt
}

/**
 * A fixed maturity of not more than one year from issue (26 USC 1272(a)(2)(C)). Without a date of issue, the name or
 * the CUSIP decides: Treasury bills (91279x) run for up to a year (31 CFR 356.5(a)), commercial paper for up to nine
 * months (15 USC 77c(a)(3)).
 */
export function isShortTermDebt({
  kind,
  issueDate,
  maturityDate,
  secTypeName,
  description,
  cusip,
}: TaxedSecurity): boolean {
  if (kind !== 'Bond' && kind !== 'Treasury' && kind !== 'Agency') return false
  if (issueDate === null || maturityDate === null) {
    const name = `${secTypeName} ${description}`
    if (kind !== 'Treasury') return commercialPaper.test(name)
    return treasuryBill.test(name) || cusip.startsWith(treasuryBillIssuer)
  }
  return maturityDate <= `${yearOf(issueDate) + 1}${issueDate.slice(4)}`
}

/**
 * Whether shares acquired on a day are covered. A lot of unknown cost came without a transfer statement and is not
 * (1.6045-1(a)(15)(iii)).
 */
export function isCovered(security: TaxedSecurity, openDate: string, costKnown: boolean): boolean {
  const { since } = coverageRow(security)
  return costKnown && since !== undefined && openDate >= since
}
