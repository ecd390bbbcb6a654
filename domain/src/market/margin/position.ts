/**
 * A position of the margin account (account types 2 and 3), with the facts that the margin rules use. Amounts are US
 * dollars.
 */

import {
  abs,
  type Decimal,
  decimal,
  multiply,
  multiplyAll,
  multiplyDivide,
  ONE,
  ZERO,
} from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import { debtClass } from '../debt-class.ts'
import { type FundTerms, fundTerms } from '../fund-class.ts'
import { isOption, type OptionContract, type SecurityKind } from '../security-kind.ts'
import type { ValuedSecurity } from '../valuation/open-lots.ts'
import type { ValuedLine } from '../valuation/positions.ts'
import { type DebtMarginRow, debtMarginOn } from './debt-margin.ts'
import { type EquityMarginRow, equityMarginOn } from './equity-margin.ts'
import { type OptionMarginRow, optionClass, optionMarginOn } from './option-margin.ts'

export interface MarginPosition {
  readonly secNo: string
  readonly symbol: string
  readonly description: string
  readonly kind: SecurityKind
  /** Shares, contracts or face; negative for a short. */
  readonly quantity: Decimal
  /** What the price multiplies: shares, or contracts × multiplier; negative for a short. */
  readonly unitQuantity: Decimal
  /** Price of one unit. */
  readonly price: Decimal
  /** Negative for a short. */
  readonly marketValue: Decimal
  /** Units that a contract delivers. */
  readonly multiplier: Decimal
  readonly marginable: boolean
  /** Without a price and without an estimate of it. If it is short, what it owes is unknown. */
  readonly isUnknown?: boolean | undefined
  /** The price contains shares that a spin-off has paid since. */
  readonly beforeSpinoff?: boolean | undefined
  /** The row of the table of stocks and funds; without one, the row in force by loan value and price. */
  readonly equity?: EquityMarginRow | undefined
  /** The multiple of a leveraged fund; 1 without one. */
  readonly leverage?: Decimal | undefined
  /** Units of a mutual fund that were bought within the last 30 days: they have no loan value yet. */
  readonly recentUnits?: Decimal | undefined
  /** House rate of this security for long positions, in percent. It applies if it is higher than the account's. */
  readonly houseLongPercent?: Decimal | undefined
  /** For debt: its row of the table, and its principal in US dollars. */
  readonly debt?: { readonly row: DebtMarginRow; readonly principal: Decimal } | undefined
  /** For a convertible: the symbol of the stock, and the shares for one unit. */
  readonly converts?: ValuedSecurity['converts']
  /** Names the positions that combine. Without it, the symbol of the underlying does. */
  readonly family?: string | undefined
  readonly option?: OptionContract | undefined
  /** The row of the table of options; without one, the row in force by the kind of the option. */
  readonly optionMargin?: OptionMarginRow | undefined
  /** Price of the option's underlying. Without one, it is estimated by the exercise price and the premium. */
  readonly underlyingPrice?: Decimal | undefined
  /** The multiple of the option's underlying; 1 without one. */
  readonly underlyingLeverage?: Decimal | undefined
}

/** The house's rates for an account, in percent. FINRA's rates are the minimum. */
export interface HouseRates {
  readonly longPercent: Decimal
  readonly shortPercent: Decimal
  /** Add-ons for long positions with a large share of equity, in ascending order of the share. */
  readonly concentration?: readonly ConcentrationTier[] | undefined
}

/** The percentage points that the house adds to the rate of a long position from a share of the account's equity. */
export interface ConcentrationTier {
  readonly sharePercent: Decimal
  readonly addOnPercent: Decimal
}

/** FINRA's rates as the house's (Rule 4210(c)(1), (3)). */
export const FINRA_RATES: HouseRates = { longPercent: decimal('25'), shortPercent: decimal('30') }

const PRICE_PLACES = 10
const MONEY_PLACES = 2

/** The underlying of an option, as far as margin depends on it. */
export interface Underlying extends FundTerms {
  /** US dollars. */
  readonly price: Decimal
}

/** The facts that margin depends on besides the lines of the account. */
export interface MarginTerms {
  readonly today: CalendarDate
  /** By number, or by symbol if the options know no number. */
  readonly underlyings: ReadonlyMap<string, Underlying>
  /** House rates for longs, in percent, by secNo. */
  readonly houseLongPercents?: ReadonlyMap<string, Decimal> | undefined
  /** Quantities of mutual funds bought within the last 30 days, by account type and secNo: see `holdingName`. */
  readonly recentFunds?: ReadonlyMap<string, Decimal> | undefined
}

/** Names the position of an account type in a security. */
export function holdingName(acctTypeCode: number, secNo: string): string {
  return `${acctTypeCode} ${secNo}`
}

/**
 * The margin positions among the valued lines: account types 2 and 3, not held away. A money market fund has no loan
 * value here, since its value is counted in funds available by itself.
 */
export function marginPositions(lines: readonly ValuedLine[], terms: MarginTerms): MarginPosition[] {
  const positions: MarginPosition[] = []
  for (const { position, security, heldAway, unpriced, estimate, beforeSpinoff } of lines) {
    if (heldAway || position.acctTypeCode === 1) continue
    const { secNo, unitQuantity } = position
    const price = multiply(estimate?.price ?? position.price, position.fxRate, PRICE_PLACES)
    positions.push({
      secNo,
      unitQuantity,
      price,
      symbol: position.symbol,
      description: position.description,
      kind: security.kind,
      quantity: position.quantity,
      marketValue: estimate?.value ?? position.marketUsdeValue,
      multiplier: security.multiplier,
      marginable: hasLoanValue(security),
      isUnknown: unpriced && estimate === undefined,
      beforeSpinoff,
      houseLongPercent: terms.houseLongPercents?.get(secNo),
      debt: debtOf(security, unitQuantity, position.fxRate, terms.today),
      recentUnits: terms.recentFunds?.get(holdingName(position.acctTypeCode, secNo)),
      converts: security.converts,
      family: security.family,
      ...equityOf(security, { unitQuantity, price }, terms.today),
      ...optionOf(security, terms.underlyings, terms.today),
    })
  }
  return positions
}

/** Whether a security has loan value. */
export function hasLoanValue({
  marginable,
  moneyMarket,
  kind,
}: Pick<ValuedSecurity, 'marginable' | 'moneyMarket' | 'kind'>): boolean {
  return marginable && !moneyMarket && !isOption(kind)
}

/** The row of the table of stocks and funds that applies to a position on a day. */
export function equityOf(
  security: Pick<ValuedSecurity, 'secTypeName' | 'marginable' | 'moneyMarket' | 'kind'>,
  { unitQuantity, price }: Pick<MarginPosition, 'unitQuantity' | 'price'>,
  today: CalendarDate,
): Pick<MarginPosition, 'equity' | 'leverage'> {
  if (isOption(security.kind)) return {}
  const { leverage } = fundTerms(security.secTypeName)
  const lent = leverage > ONE ? 'LeveragedFund' : 'MarginSecurity'
  const name = hasLoanValue(security) ? lent : 'NonMargin'
  const side = unitQuantity < ZERO ? 'Short' : 'Long'
  return { equity: equityMarginOn(side === 'Short' ? lent : name, side, price, today), leverage }
}

/**
 * The contract of an option, and the facts of its underlying that margin depends on. A contract that has not been
 * adjusted to a change of its underlying counts as if it had been, so that its requirement stays the same.
 */
export function optionOf(
  { option, kind, multiplier, family }: Pick<ValuedSecurity, 'option' | 'kind' | 'multiplier' | 'family'>,
  underlyings: ReadonlyMap<string, Underlying>,
  today: CalendarDate,
): Partial<
  Pick<MarginPosition, 'option' | 'optionMargin' | 'underlyingPrice' | 'underlyingLeverage' | 'multiplier'>
> {
  if (option === undefined) return {}
  const underlying = underlyings.get(family ?? option.underlying)
  const { units, ...contract } = option
  return {
    option: contract,
    ...(units && {
      option: {
        ...contract,
        strike: multiplyDivide(contract.strike, units.held, units.received, PRICE_PLACES),
      },
      multiplier: multiplyDivide(multiplier, units.received, units.held, PRICE_PLACES),
    }),
    optionMargin: optionMarginOn(optionClass(kind, option.underlying, underlying), today),
    underlyingPrice: underlying?.price,
    underlyingLeverage: underlying?.leverage,
  }
}

/**
 * The margin terms of a position in debt; debt whose coupon is not known counts as without one. Undefined for other
 * securities. `unitQuantity` × price, in percent of the principal, is the value.
 */
export function debtOf(
  security: Pick<
    ValuedSecurity,
    'kind' | 'secTypeName' | 'maturityDate' | 'priceDivisor' | 'converts' | 'bond'
  >,
  unitQuantity: Decimal,
  fxRate: Decimal,
  today: CalendarDate,
): MarginPosition['debt'] {
  const name = debtClass(security)
  if (name === undefined) return undefined
  const principal = multiplyAll([unitQuantity, security.priceDivisor, fxRate], [], MONEY_PLACES)
  const zeroCoupon = (security.bond?.couponRate ?? ZERO) === ZERO
  return { row: debtMarginOn(name, security.maturityDate, today, zeroCoupon), principal }
}

/** Contracts of an option position, never negative. */
export function contractsOf(position: MarginPosition): Decimal {
  return abs(position.quantity)
}

/**
 * A short position in a security that was borrowed for its delivery. A written option is a promise, and its premium is
 * the writer's.
 */
export function isBorrowed(position: Pick<MarginPosition, 'kind' | 'quantity'>): boolean {
  return position.quantity < ZERO && !isOption(position.kind)
}

export function isShort(position: MarginPosition): boolean {
  return position.quantity < ZERO
}
