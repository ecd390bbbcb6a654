/**
 * The holdings of one account in one underlying, as input of the combining steps: stock, long options and short
 * options, each with the part that no combination has used yet.
 */

import { abs, type Decimal, decimal, divide, max, multiply, multiplyDivide, ZERO } from '../../../decimal.ts'
import type { OptionContract } from '../../security-kind.ts'
import { optionClass, optionMarginOn, uncoveredCharge } from '../option-margin.ts'
import { contractsOf, isShort, type MarginPosition } from '../position.ts'

export const UNIT_PLACES = 10
const HUNDRED = decimal('100')

/** A percentage of an amount for one unit, at more places than the cent. */
export function percentOfUnit(amount: Decimal, percent: Decimal): Decimal {
  return multiplyDivide(amount, percent, HUNDRED, UNIT_PLACES)
}

/** What a short option requires. */
export interface OptionRequirement {
  /** As the rule states it, the option's own market value included. */
  requirement: Decimal
  /**
   * What counts against equity, from which the option's market value is already deducted. Less than 0 where the rule
   * does not deduct it.
   */
  onTop: Decimal
}

export const REQUIREMENTS = ['initial', 'law', 'house'] as const
export type Requirement = (typeof REQUIREMENTS)[number]

/** What a position of stock requires without a combination. */
export type StockNeeds = Readonly<Record<Requirement, Decimal>>

export interface ShortOption {
  readonly position: MarginPosition
  readonly contract: OptionContract
  /** Market value of one contract. */
  readonly premium: Decimal
  /** What one uncovered contract requires on top of its premium. */
  readonly charge: Decimal
  /** What one contract is in the money. */
  readonly inMoney: Decimal
  left: Decimal
  readonly result: OptionRequirement
}

export interface LongOption {
  readonly position: MarginPosition
  readonly contract: OptionContract
  left: Decimal
}

export interface Stock {
  readonly position: MarginPosition
  readonly needs: StockNeeds
  /** Of a security that converts: shares of the underlying for one unit. */
  readonly ratio: Decimal | undefined
  left: Decimal
  /** What combinations take off its requirement. */
  readonly relief: Record<Requirement, Decimal>
}

/** Contracts of one short option that require the same each, in a spread or uncovered. */
export interface Portion {
  readonly short: ShortOption
  contracts: Decimal
  /** What one contract requires, its premium included. */
  readonly full: Decimal
  /** The long option that limits the loss to `full`. */
  readonly long?: LongOption
}

/** Positions stand in the order of their numbers: of two that require the same the first is taken. */
export interface Holdings {
  readonly shorts: readonly ShortOption[]
  readonly longs: readonly LongOption[]
  readonly stocks: readonly Stock[]
  readonly portions: Portion[]
}

/** The holdings of positions in one underlying. `needsOf` gives what a position of stock requires alone. */
export function holdingsOf(
  positions: readonly MarginPosition[],
  needsOf: (position: MarginPosition) => StockNeeds,
): Holdings {
  const shorts: ShortOption[] = []
  const longs: LongOption[] = []
  const stocks: Stock[] = []
  for (const position of positions.toSorted((a, b) => compare(a.secNo, b.secNo))) {
    const { option: contract } = position
    if (contract === undefined) stocks.push(openStock(position, needsOf(position)))
    else if (isShort(position)) shorts.push(openShort(position, contract))
    else longs.push({ position, contract, left: contractsOf(position) })
  }
  return {
    shorts: shorts.sort((a, b) => compare(uncovered(b), uncovered(a))),
    longs,
    stocks,
    portions: [],
  }
}

/** The same holdings with nothing combined yet. */
export function copyOf({ shorts, longs, stocks }: Holdings): Holdings {
  return {
    shorts: shorts.map((short) => ({ ...short, result: { requirement: ZERO, onTop: ZERO } })),
    longs: longs.map((long) => ({ ...long })),
    stocks: stocks.map((stock) => ({ ...stock, relief: { initial: ZERO, law: ZERO, house: ZERO } })),
    portions: [],
  }
}

function openStock(position: MarginPosition, needs: StockNeeds): Stock {
  return {
    position,
    needs,
    ratio: position.converts?.ratio,
    left: abs(position.unitQuantity),
    relief: { initial: ZERO, law: ZERO, house: ZERO },
  }
}

function openShort(position: MarginPosition, contract: OptionContract): ShortOption {
  const { multiplier, kind } = position
  const premium = multiplyDivide(position.price, position.unitQuantity, position.quantity, UNIT_PLACES)
  const price =
    position.underlyingPrice ?? estimatedUnderlying(contract, divide(premium, multiplier, UNIT_PLACES))
  const row = position.optionMargin ?? optionMarginOn(optionClass(kind, contract.underlying, undefined))
  const { strike, putCall } = contract
  const inMoney = max(ZERO, putCall === 'Call' ? price - strike : strike - price)
  return {
    position,
    contract,
    premium,
    charge: uncoveredCharge(contract, { price, leverage: position.underlyingLeverage }, multiplier, row),
    inMoney: multiply(inMoney, multiplier, UNIT_PLACES),
    left: contractsOf(position),
    result: { requirement: ZERO, onTop: ZERO },
  }
}

/** Without a price of the underlying, the premium of an option counts as what it is in the money. */
function estimatedUnderlying({ putCall, strike }: OptionContract, premium: Decimal): Decimal {
  return putCall === 'Call' ? strike + premium : max(ZERO, strike - premium)
}

/** Whether a long option is on as many shares as a short option, and expires no earlier. */
export function isProtectedBy(short: ShortOption, { contract, position }: LongOption): boolean {
  return position.multiplier === short.position.multiplier && contract.expiration >= short.contract.expiration
}

/** Adds what a number of contracts require, as the rule states it. */
export function addRequirement(short: ShortOption, contracts: Decimal, full: Decimal): void {
  short.result.requirement += multiply(full, contracts, UNIT_PLACES)
  short.result.onTop += multiply(full - short.premium, contracts, UNIT_PLACES)
}

/**
 * Takes units of a stock into a combination that requires `house` and `law` of them, and `initial` where that is given.
 */
export function useStock(stock: Stock, units: Decimal, special: Partial<StockNeeds>): void {
  const all = abs(stock.position.unitQuantity)
  stock.left -= units
  for (const name of REQUIREMENTS) {
    const required = special[name]
    if (required === undefined) continue
    const usual = multiplyDivide(stock.needs[name], units, all, UNIT_PLACES)
    stock.relief[name] += max(ZERO, usual - required)
  }
}

/** What the holdings require on top of what each stock and long option requires alone. */
export function totalOf({ shorts, stocks }: Holdings, requirement: Requirement): Decimal {
  let total = ZERO
  for (const { result } of shorts) total += result.onTop
  for (const { relief } of stocks) total -= relief[requirement]
  return total
}

/** What one contract of a short option requires without a combination, its premium included. */
export function uncovered({ premium, charge }: ShortOption): Decimal {
  return premium + charge
}

export function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}
