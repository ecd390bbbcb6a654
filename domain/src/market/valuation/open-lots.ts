/** The input of a valuation: open lots, the facts and prices of their securities, and exchange rates. */

import type { Decimal } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import type { BondTerms } from '../interest/accrued.ts'
import type { OptionContract, SecurityKind } from '../security-kind.ts'
import type { ValueTerms } from './line-value.ts'
import type { AcctTypeCode, PriceType } from './record.ts'

/** The facts of a security that a position shows or that its value depends on. Texts can be empty. */
export interface ValuedSecurity extends ValueTerms {
  readonly secNo: string
  readonly kind: SecurityKind
  readonly symbolId: string
  readonly symbol: string
  readonly cusip: string
  readonly isin: string
  readonly sedol: string
  readonly description: string
  readonly secTypeCode: string
  readonly secTypeName: string
  readonly typeClassCode: string
  readonly newSecCode: string
  readonly industryGroupCode: number
  readonly industryGroupName: string
  /** ISO 4217 letters. */
  readonly currency: string
  readonly isOffShore: boolean
  readonly offshoreShareClass: string
  readonly moneyMarket: boolean
  readonly marginable: boolean
  /** Interest terms of a bond. */
  readonly bond?: BondTerms | undefined
  readonly option?: OptionContract | undefined
  /** For debt, with or without a coupon. */
  readonly maturityDate?: CalendarDate | undefined
  /** The symbol of the stock into which the security converts, and the shares for what the price is of. */
  readonly converts?: { readonly symbol: string; readonly ratio: Decimal } | undefined
  /** Names the securities whose positions combine in margin: those on one underlying, and it. */
  readonly family?: string | undefined
  /** What an option or a convertible names as its underlying, if no security has that identifier. */
  readonly unknownUnderlying?: string | undefined
}

/** The latest price of a security not after now. */
export interface SecurityPrice {
  readonly price: Decimal
  readonly priceType: PriceType
  /** Date-time of the price. */
  readonly priceDate: string
  /** The previous close where it is another price. */
  readonly closePrice?: Decimal | undefined
  /** For a money-market fund: percent a year. */
  readonly yield?: Decimal | undefined
  /** The last price from before a corporate action, in the units after it. */
  readonly carried?: true | undefined
  /** From before a spin-off that the security paid: the price contains the shares that have left. */
  readonly beforeSpinoff?: boolean | undefined
}

export interface OpenLot {
  readonly lotId: string
  readonly secNo: string
  readonly acctTypeCode: AcctTypeCode
  /** Negative for a short. */
  readonly quantity: Decimal
  readonly openDate: CalendarDate
  /** Open date less the days that wash sales added. */
  readonly holdingStart: CalendarDate
  /** In the security's currency, wash adjustment included, negative for a short; null when unknown. */
  readonly cost: Decimal | null
  /** US dollars for one unit of the currency on the trade day. */
  readonly fxRate: Decimal
  /** The part of the cost that is a disallowed loss, in the currency. */
  readonly washDisallowed: Decimal
  /** Of a long lot: shares whose sale is Short because of an open short sale. */
  readonly besideShort?: Decimal | undefined
  /** Of a short sale: shares, without sign, whose loss is Long. */
  readonly heldLong?: Decimal | undefined
  /** Kept by another custodian. */
  readonly heldAway: boolean
  /** The report of the custodian is from before a split, and `quantity` is in the units after it. */
  readonly converted?: true | undefined
}

export interface ValuationInput {
  readonly acctNo: string
  readonly accountName: string
  /** Date-time of the valuation. */
  readonly now: string
  /** The business date: terms and accrued interest are as of it. */
  readonly today: CalendarDate
  readonly lots: readonly OpenLot[]
  readonly securities: ReadonlyMap<string, ValuedSecurity>
  /** By secNo. */
  readonly prices: ReadonlyMap<string, SecurityPrice>
  /** By secNo, what options that have expired were in the money at their expiration. */
  readonly atExpiration?: ReadonlyMap<string, SecurityPrice> | undefined
  /** By secNo, the prices of the account's last trades in securities without a price, for margin figures. */
  readonly lastTrades?: ReadonlyMap<string, Decimal> | undefined
  /** US dollars for one unit, by currency. USD is optional. */
  readonly fxRates: ReadonlyMap<string, Decimal>
  /** Lines with an open break, as `lineKey` names them. */
  readonly breaks?: ReadonlySet<string> | undefined
  /** Also value each lot (position-detail). */
  readonly withLots?: boolean | undefined
}

/** The lots of one line: a security in an account type and in one custody. */
export interface LineLots {
  readonly security: ValuedSecurity
  readonly acctTypeCode: AcctTypeCode
  readonly heldAway: boolean
  readonly lots: OpenLot[]
}

/** How a line is named in `breaks`. */
export function lineKey(secNo: string, acctTypeCode: AcctTypeCode): string {
  return `${secNo}/${acctTypeCode}`
}
