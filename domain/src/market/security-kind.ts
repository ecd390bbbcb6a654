/**
 * The kind of a security that settlement, fees, interest and margin depend on. The name of the type that the feed gives
 * decides; the CUSIP and the terms decide for a security whose type says nothing of the issuer.
 */

import type { Decimal } from '../decimal.ts'
import type { CalendarDate } from './calendar/day.ts'
import { namedType } from './type-name.ts'

export type SecurityKind = 'Equity' | 'Bond' | 'Treasury' | 'Agency' | 'Fund' | 'Option' | 'IndexOption'

/** The contract of an option. */
/** Units of the underlying after a change for units before it. The strike of the contract is of those before it. */
export interface UnitsOfStrike {
  readonly received: Decimal
  readonly held: Decimal
}

export interface OptionContract {
  readonly putCall: 'Put' | 'Call'
  /** Exercise price for one unit of the underlying. */
  readonly strike: Decimal
  readonly expiration: CalendarDate
  /** Symbol of the underlying. */
  readonly underlying: string
  /** The underlying changed its units, and the contract has not been adjusted. */
  readonly units?: UnitsOfStrike | undefined
}

export interface KindFacts {
  readonly cusip?: string | undefined
  readonly isin?: string | undefined
  readonly currency?: string | undefined
  readonly secTypeName?: string | undefined
  readonly putCall?: string | undefined
  readonly underlying?: string | undefined
  readonly couponRate?: unknown
  readonly maturityDate?: string | undefined
  readonly moneyMarket?: boolean | undefined
}

/**
 * Broad-based indexes by the root symbol of their options: settled in cash, contracts of section 1256, no Section 31
 * fee. Margin is 15 % (Cboe, "Index Options Product Specifications"), except of the volatility indexes.
 */
export const BROAD_INDEXES: ReadonlySet<string> = new Set([
  ...['SPX', 'SPXW', 'XSP', 'NANOS', 'OEX', 'XEO', 'NDX', 'NDXP', 'XND', 'NQX', 'RUT', 'RUTW', 'MRUT'],
  ...['DJX', 'VIX', 'VIXW', 'MNX', 'MID', 'SML', 'RUI', 'RLG', 'RLV', 'CBTX', 'MBTX'],
  ...['MXEA', 'MXEF', 'MXACW', 'MXWLD', 'MXUSA', 'SPESG'],
])

/** The indexes of expected volatility, whose options have margin of their own. */
const VOLATILITY_INDEXES: ReadonlySet<string> = new Set(['VIX', 'VIXW'])

/**
 * The broad-based indexes whose options can be exercised before they expire. All others are European-style (Cboe,
 * specifications of OEX and XEO; tastytrade, "Cash-Settled Indexes Options Specifications").
 */
const AMERICAN_INDEXES: ReadonlySet<string> = new Set(['OEX'])

/**
 * The issuer numbers of the United States Treasury: bills 91279x, bonds and notes 91281x and 91282x, STRIPS 91280x,
 * 91282x and 91283x. Other issuers have other numbers that begin with 912: 912909 is United States Steel.
 */
const treasuryIssuer = /^912(79|8[0-3])/

/**
 * The kind of a security. An option has a put or call. Otherwise the name of the type decides. If it says nothing of
 * the issuer, the CUSIP of the Treasury does, and then the terms: a bond has a coupon or a maturity.
 */
export function securityKind(facts: KindFacts): SecurityKind {
  if (facts.putCall !== undefined && facts.putCall !== '') {
    return isBroadIndex(facts.underlying ?? '') ? 'IndexOption' : 'Option'
  }
  if (facts.moneyMarket === true) return 'Fund'
  const named = namedType(facts.secTypeName ?? '')
  switch (named) {
    case 'Fund':
    case 'Agency':
      return named
    case 'Stock':
      return 'Equity'
    case 'Treasury':
      return isOfTheUnitedStates(facts) ? 'Treasury' : 'Bond'
    case undefined: {
      if (treasuryIssuer.test(facts.cusip ?? '')) return 'Treasury'
      const hasTerms = facts.couponRate !== undefined || (facts.maturityDate ?? '') !== ''
      return hasTerms ? 'Bond' : 'Equity'
    }
    default:
      return 'Bond'
  }
}

/**
 * Whether a Treasury is of the United States: it is in US dollars, and its ISIN begins with US. Other countries have
 * treasuries too.
 */
function isOfTheUnitedStates({ isin, currency }: KindFacts): boolean {
  return (currency ?? 'USD') === 'USD' && (isin ?? 'US').startsWith('US')
}

/** Whether the underlying of an option is a broad-based index. */
export function isBroadIndex(underlying: string): boolean {
  return BROAD_INDEXES.has(rootOf(underlying))
}

/** Whether the underlying of an option is a broad-based index with European-style options, which settle in cash. */
export function isEuropeanIndex(underlying: string): boolean {
  return isBroadIndex(underlying) && !AMERICAN_INDEXES.has(rootOf(underlying))
}

/** Whether the underlying of an option is an index of expected volatility. */
export function isVolatilityIndex(underlying: string): boolean {
  return VOLATILITY_INDEXES.has(rootOf(underlying))
}

function rootOf(underlying: string): string {
  return underlying.replace(/^[$^.]/, '')
}

/**
 * Securities of the United States or its agencies are cash equivalents (12 CFR 220.2), as money-market funds are. The
 * rule also names certificates of deposit and acceptances, but the type does not tell whether they are negotiable.
 */
export function isCashEquivalent(kind: SecurityKind): boolean {
  return kind === 'Treasury' || kind === 'Agency'
}

/** True for listed options of either kind. */
export function isOption(kind: SecurityKind): boolean {
  return kind === 'Option' || kind === 'IndexOption'
}
