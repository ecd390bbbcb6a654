/**
 * Maintenance of short options (FINRA Rule 4210(f)(2)): uncovered by the percentage rule; written calls covered by stock
 * and puts by short stock; spreads by their largest loss; of a short call and a short put the larger side alone.
 */

import { abs, type Decimal, decimal, max, min, multiply, ONE, roundTo, ZERO } from '../../decimal.ts'
import type { OptionContract } from '../security-kind.ts'
import { contractsOf, isShort, type MarginPosition } from './position.ts'

/** What a short option needs. */
export interface OptionRequirement {
  /** As the rule states it, the option's own market value included. */
  requirement: Decimal
  /** What counts against equity, which has the option's market value already taken off; less than 0 in a deep spread. */
  onTop: Decimal
}

const MONEY_PLACES = 2
const UNIT_PLACES = 10
const EQUITY_OPTION_RATE = decimal('0.20')
const INDEX_OPTION_RATE = decimal('0.15')
const MINIMUM_RATE = decimal('0.10')

/** A short option position with the contracts that no stock and no long option has covered yet. */
interface Short {
  readonly position: MarginPosition
  readonly contract: OptionContract
  /** Market value of one contract. */
  readonly premium: Decimal
  /** What one uncovered contract needs on top of its premium. */
  readonly charge: Decimal
  left: Decimal
  readonly result: OptionRequirement
}

interface Long {
  readonly position: MarginPosition
  readonly contract: OptionContract
  left: Decimal
}

/** Contracts of one short position that need the same each, as a spread or uncovered. */
interface Portion {
  readonly short: Short
  contracts: Decimal
  /** What one contract needs, its premium included. */
  readonly full: Decimal
  /** What it needs when the other side of the underlying is the one that counts: nothing more than what it is worth. */
  readonly waived: Decimal
}

/**
 * What one uncovered contract needs on top of its market value: the larger of 20 percent of the underlying (15 for a broad
 * index) less the amount out of the money, and 10 percent of the underlying (of the exercise price for a put).
 */
export function uncoveredCharge(
  contract: OptionContract,
  underlyingPrice: Decimal,
  multiplier: Decimal,
  broadIndex: boolean,
): Decimal {
  const isCall = contract.putCall === 'Call'
  const outOfMoney = max(ZERO, isCall ? contract.strike - underlyingPrice : underlyingPrice - contract.strike)
  const rate = broadIndex ? INDEX_OPTION_RATE : EQUITY_OPTION_RATE
  const usual = multiply(underlyingPrice, rate, UNIT_PLACES) - outOfMoney
  const least = multiply(isCall ? underlyingPrice : contract.strike, MINIMUM_RATE, UNIT_PLACES)
  return multiply(max(usual, least), multiplier, UNIT_PLACES)
}

/**
 * The requirement of every short option position among the account's positions, by position. Stock covers the options
 * that would need the most first; what is left is spread against long options that live at least as long, nearest loss
 * first; what is still left is uncovered. Of calls and puts on one underlying only the larger side counts.
 */
export function shortOptionRequirements(
  positions: readonly MarginPosition[],
): Map<MarginPosition, OptionRequirement> {
  const results = new Map<MarginPosition, OptionRequirement>()
  const byUnderlying = new Map<string, Short[]>()
  for (const position of positions) {
    if (position.option === undefined || !isShort(position)) continue
    const short = openShort(position, position.option)
    results.set(position, short.result)
    const shorts = byUnderlying.get(position.option.underlying)
    if (shorts === undefined) byUnderlying.set(position.option.underlying, [short])
    else shorts.push(short)
  }
  for (const [underlying, shorts] of byUnderlying) {
    shorts.sort(mostNeededFirst)
    coverWithStock(shorts, positions, underlying)
    const portions = spreadPortions(shorts, positions, underlying)
    for (const short of shorts) {
      const full = short.premium + short.charge
      if (short.left > ZERO) portions.push({ short, contracts: short.left, full, waived: short.premium })
    }
    requireLargerSide(portions)
  }
  for (const result of results.values()) {
    result.requirement = roundTo(result.requirement, MONEY_PLACES)
    result.onTop = roundTo(result.onTop, MONEY_PLACES)
  }
  return results
}

/** By the charge, then the premium; then by name, so that the order of positions does not matter. */
function mostNeededFirst(a: Short, b: Short): number {
  return (
    compare(b.charge, a.charge) ||
    compare(b.premium, a.premium) ||
    compare(a.position.secNo, b.position.secNo)
  )
}

function openShort(position: MarginPosition, contract: OptionContract): Short {
  const underlyingPrice = position.underlyingPrice ?? contract.strike
  return {
    position,
    contract,
    premium: multiply(position.price, position.multiplier, UNIT_PLACES),
    charge: uncoveredCharge(contract, underlyingPrice, position.multiplier, position.kind === 'IndexOption'),
    left: contractsOf(position),
    result: { requirement: ZERO, onTop: ZERO },
  }
}

/** A written call is covered by the stock held, a written put by the stock sold short: nothing more is needed. */
function coverWithStock(shorts: Short[], positions: readonly MarginPosition[], underlying: string): void {
  let held = ZERO
  let sold = ZERO
  for (const { symbol, option, unitQuantity } of positions) {
    if (option !== undefined || symbol !== underlying) continue
    if (unitQuantity > ZERO) held += unitQuantity
    else sold -= unitQuantity
  }
  for (const short of shorts) {
    const isCall = short.contract.putCall === 'Call'
    const units = isCall ? held : sold
    const covered = min(short.left, wholeContracts(units, short.position.multiplier))
    if (covered <= ZERO) continue
    short.left -= covered
    const used = multiply(covered, short.position.multiplier, UNIT_PLACES)
    if (isCall) held -= used
    else sold -= used
  }
}

/** A long option of the same side that lives as long limits the loss to the distance between the exercise prices. */
function spreadPortions(
  shorts: Short[],
  positions: readonly MarginPosition[],
  underlying: string,
): Portion[] {
  const longs: Long[] = []
  for (const position of positions) {
    if (position.option?.underlying === underlying && !isShort(position)) {
      longs.push({ position, contract: position.option, left: contractsOf(position) })
    }
  }
  const portions: Portion[] = []
  for (const short of shorts) {
    const fitting = longs
      .filter((long) => protects(long, short))
      .map((long) => ({ long, loss: spreadLoss(long, short) }))
      .sort((a, b) => compare(a.loss, b.loss) || nearestFirst(a.long, b.long, short))
    for (const { long, loss } of fitting) {
      const contracts = min(short.left, long.left)
      if (contracts <= ZERO || loss >= short.premium + short.charge) continue
      short.left -= contracts
      long.left -= contracts
      portions.push({ short, contracts, full: loss, waived: ZERO })
    }
  }
  return portions
}

/**
 * Of a short call and a short put on one underlying only one side can lose. Contract by contract the side that needs more
 * counts, and of the other what it is worth (nothing of a spread). What has no other side counts alone.
 */
function requireLargerSide(portions: Portion[]): void {
  const side = (putCall: OptionContract['putCall']) =>
    portions.filter(({ short }) => short.contract.putCall === putCall).sort(mostOnTopFirst)
  const puts = side('Put')
  for (const call of side('Call')) {
    for (const put of puts) {
      if (call.short.position.multiplier !== put.short.position.multiplier) continue
      const contracts = min(call.contracts, put.contracts)
      if (contracts <= ZERO) continue
      call.contracts -= contracts
      put.contracts -= contracts
      const callCounts = call.full + put.waived >= put.full + call.waived
      addRequirement(call.short, contracts, callCounts ? call.full : call.waived)
      addRequirement(put.short, contracts, callCounts ? put.waived : put.full)
    }
  }
  for (const { short, contracts, full } of portions) addRequirement(short, contracts, full)
}

function mostOnTopFirst(a: Portion, b: Portion): number {
  return compare(b.full - b.waived, a.full - a.waived) || mostNeededFirst(a.short, b.short)
}

function addRequirement(short: Short, contracts: Decimal, full: Decimal): void {
  short.result.requirement += multiply(full, contracts, UNIT_PLACES)
  short.result.onTop += multiply(full - short.premium, contracts, UNIT_PLACES)
}

function protects(long: Long, short: Short): boolean {
  return (
    long.contract.putCall === short.contract.putCall &&
    long.position.multiplier === short.position.multiplier &&
    long.contract.expiration >= short.contract.expiration
  )
}

function spreadLoss(long: Long, short: Short): Decimal {
  const distance =
    short.contract.putCall === 'Call'
      ? long.contract.strike - short.contract.strike
      : short.contract.strike - long.contract.strike
  return multiply(max(ZERO, distance), short.position.multiplier, UNIT_PLACES)
}

/** The long option that other shorts can spare best: nearest exercise price, then nearest expiration, then by name. */
function nearestFirst(a: Long, b: Long, short: Short): number {
  const distance = (long: Long) => abs(long.contract.strike - short.contract.strike)
  return (
    compare(distance(a), distance(b)) ||
    compare(a.contract.expiration, b.contract.expiration) ||
    compare(a.position.secNo, b.position.secNo)
  )
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function wholeContracts(units: Decimal, multiplier: Decimal): Decimal {
  return multiplier > ZERO ? (units / multiplier) * ONE : ZERO
}
