/**
 * The kind of a security that settlement, fees, interest and margin depend on. It is derived from the facts that a feed loads,
 * because the one-letter type codes of feeds have no common list.
 */

import type { Decimal } from '../decimal.ts'
import type { CalendarDate } from './calendar/day.ts'

export type SecurityKind = 'Equity' | 'Bond' | 'Treasury' | 'Fund' | 'Option' | 'IndexOption'

/** The contract of an option. */
export interface OptionContract {
  readonly putCall: 'Put' | 'Call'
  /** Exercise price for one unit of the underlying. */
  readonly strike: Decimal
  readonly expiration: CalendarDate
  /** Symbol of the underlying. */
  readonly underlying: string
}

export interface KindFacts {
  readonly cusip?: string | undefined
  readonly secTypeName?: string | undefined
  readonly putCall?: string | undefined
  readonly underlying?: string | undefined
  readonly couponRate?: unknown
  readonly maturityDate?: string | undefined
  readonly moneyMarket?: boolean | undefined
}

/** Broad-based index options by the root symbol of the underlying: margin 15%, no Section 31 fee. */
export const BROAD_INDEXES: ReadonlySet<string> = new Set([
  ...['SPX', 'SPXW', 'XSP', 'NANOS', 'OEX', 'XEO', 'NDX', 'NDXP', 'XND', 'NQX', 'RUT', 'RUTW', 'MRUT'],
  ...['DJX', 'VIX', 'VIXW', 'MNX', 'MID', 'SML', 'RUI', 'RLG', 'RLV', 'CBTX', 'MBTX'],
])

/** CUSIP issuer numbers 912xxx belong to the United States Treasury. */
const TREASURY_ISSUER = '912'
const FUND_NAME = /mutual fund|money market|open.?end/i

/** The kind of a security. An option has a put or call, a bond has a coupon or a maturity, and a fund has a type name. */
export function securityKind(facts: KindFacts): SecurityKind {
  if (facts.putCall !== undefined && facts.putCall !== '') {
    return isBroadIndex(facts.underlying ?? '') ? 'IndexOption' : 'Option'
  }
  const hasTerms = facts.couponRate !== undefined || (facts.maturityDate ?? '') !== ''
  if (facts.cusip?.startsWith(TREASURY_ISSUER)) return 'Treasury'
  if (facts.moneyMarket === true || FUND_NAME.test(facts.secTypeName ?? '')) return 'Fund'
  return hasTerms ? 'Bond' : 'Equity'
}

/** Whether the underlying of an option is a broad-based index. */
export function isBroadIndex(underlying: string): boolean {
  return BROAD_INDEXES.has(underlying.replace(/^[$^.]/, ''))
}

/** True for listed options of either kind. */
export function isOption(kind: SecurityKind): boolean {
  return kind === 'Option' || kind === 'IndexOption'
}
