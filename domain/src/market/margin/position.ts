/** A position of the margin account (account types 2 and 3), as the margin rules look at it. US dollars throughout. */

import { abs, type Decimal, decimal, multiply, multiplyAll, ZERO } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import { debtClass } from '../debt-class.ts'
import { isOption, type OptionContract, type SecurityKind } from '../security-kind.ts'
import type { ValuedSecurity } from '../valuation/open-lots.ts'
import type { ValuedLine } from '../valuation/positions.ts'
import { type DebtMarginRow, debtMarginOn } from './debt-margin.ts'

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
  /** Units of a contract. */
  readonly multiplier: Decimal
  readonly marginable: boolean
  /** House rate of this security for longs, in percent; it counts where it is above the account's. */
  readonly houseLongPercent?: Decimal | undefined
  /** Of debt: its row of the table, and its principal in US dollars. */
  readonly debt?: { readonly row: DebtMarginRow; readonly principal: Decimal } | undefined
  readonly option?: OptionContract | undefined
  /** Price of the option's underlying; without one the exercise price stands in. */
  readonly underlyingPrice?: Decimal | undefined
}

/** The house's rates for an account, in percent. FINRA's own are the least that counts. */
export interface HouseRates {
  readonly longPercent: Decimal
  readonly shortPercent: Decimal
}

/** FINRA's rates as the house's (Rule 4210(c)(1), (3)). */
export const FINRA_RATES: HouseRates = { longPercent: decimal('25'), shortPercent: decimal('30') }

const PRICE_PLACES = 10
const MONEY_PLACES = 2

/**
 * The margin positions among the valued lines: account types 2 and 3, not held away. A money market fund has no loan
 * value here, since its value is counted in funds available by itself. `prices` gives the price of an underlying by symbol.
 */
export function marginPositions(
  lines: readonly ValuedLine[],
  today: CalendarDate,
  underlyingPrices: ReadonlyMap<string, Decimal>,
  houseLongPercents: ReadonlyMap<string, Decimal> = new Map(),
): MarginPosition[] {
  const positions: MarginPosition[] = []
  for (const { position, security, heldAway } of lines) {
    if (heldAway || position.acctTypeCode === 1) continue
    positions.push({
      secNo: position.secNo,
      symbol: position.symbol,
      description: position.description,
      kind: security.kind,
      quantity: position.quantity,
      unitQuantity: position.unitQuantity,
      price: multiply(position.price, position.fxRate, PRICE_PLACES),
      marketValue: position.marketUsdeValue,
      multiplier: security.multiplier,
      marginable: security.marginable && !security.moneyMarket && !isOption(security.kind),
      houseLongPercent: houseLongPercents.get(position.secNo),
      debt: debtOf(security, position.unitQuantity, position.fxRate, today),
      option: security.option,
      underlyingPrice: security.option && underlyingPrices.get(security.option.underlying),
    })
  }
  return positions
}

/** The margin terms of a position in debt; undefined of others. `unitQuantity` is what the price, percent of the principal, multiplies. */
export function debtOf(
  security: Pick<ValuedSecurity, 'kind' | 'secTypeName' | 'maturityDate' | 'priceDivisor'>,
  unitQuantity: Decimal,
  fxRate: Decimal,
  today: CalendarDate,
): MarginPosition['debt'] {
  const name = debtClass(security)
  if (name === undefined) return undefined
  const principal = multiplyAll([unitQuantity, security.priceDivisor, fxRate], [], MONEY_PLACES)
  return { row: debtMarginOn(name, security.maturityDate, today), principal }
}

/** Contracts of an option position, never negative. */
export function contractsOf(position: MarginPosition): Decimal {
  return abs(position.quantity)
}

export function isShort(position: MarginPosition): boolean {
  return position.quantity < ZERO
}
