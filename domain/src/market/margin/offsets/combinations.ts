/**
 * Combinations of a short option, a long option and stock, each with what one contract of it saves: spreads, covered
 * options, collars and conversions, protective options (FINRA Rule 4210(f)(2)(H)).
 */

import {
  abs,
  type Decimal,
  decimal,
  max,
  min,
  multiply,
  multiplyDivide,
  ONE,
  ZERO,
} from '../../../decimal.ts'
import { isShort } from '../position.ts'
import {
  addRequirement,
  compare,
  type Holdings,
  isProtectedBy,
  type LongOption,
  percentOfUnit,
  type ShortOption,
  type Stock,
  UNIT_PLACES,
  uncovered,
  useStock,
} from './holdings.ts'

interface Combination {
  /** The options, of which one contract each is in a combination. */
  readonly options: readonly (ShortOption | LongOption)[]
  /** The stock, of which the shares of one contract are in a combination. */
  readonly stock?: Stock
  /** What one contract saves at the house's rates. */
  readonly saved: Decimal
  /** Records what a number of contracts require. */
  readonly take: (contracts: Decimal) => void
}

/** Every combination of one kind. Of two that save the same, the first is taken first. */
type Kind = (holdings: Holdings) => Combination[]

/**
 * Takes combinations of the kinds, the one that saves most first, with as many contracts as its positions have left.
 * A combination that saves nothing is not taken.
 */
export function takeBestOf(...kinds: readonly Kind[]): (holdings: Holdings) => void {
  return (holdings) => {
    const found = kinds.flatMap((kind) => kind(holdings)).filter(({ saved }) => saved > ZERO)
    for (const { options, stock, take } of found.sort((a, b) => compare(b.saved, a.saved))) {
      const contracts = contractsLeft(options, stock)
      if (contracts === ZERO) continue
      for (const option of options) option.left -= contracts
      take(contracts)
    }
  }
}

function contractsLeft(options: readonly (ShortOption | LongOption)[], stock: Stock | undefined): Decimal {
  const [first, ...others] = options
  if (first === undefined) return ZERO
  const contracts = min(first.left, ...others.map(({ left }) => left))
  return stock === undefined
    ? contracts
    : min(contracts, (sharesLeft(stock) / first.position.multiplier) * ONE)
}

/** A short option with a long option of its side that expires no earlier: it requires the largest loss. */
export function spreads({ shorts, longs, portions }: Holdings): Combination[] {
  return shorts.flatMap((short) =>
    longs
      .filter((long) => long.contract.putCall === short.contract.putCall && isProtectedBy(short, long))
      .sort((a, b) => nearestFirst(a, b, short))
      .map((long) => {
        const full = spreadLoss(long, short)
        return {
          options: [short, long],
          saved: uncovered(short) - full,
          take: (contracts) => portions.push({ short, long, contracts, full }),
        }
      }),
  )
}

function spreadLoss({ contract }: LongOption, short: ShortOption): Decimal {
  const { strike, putCall } = short.contract
  const distance = putCall === 'Call' ? contract.strike - strike : strike - contract.strike
  return multiply(max(ZERO, distance), short.position.multiplier, UNIT_PLACES)
}

/** The long option that other shorts can spare best: nearest exercise price, then nearest expiration. */
function nearestFirst(a: LongOption, b: LongOption, { contract: { strike } }: ShortOption): number {
  return (
    compare(abs(a.contract.strike - strike), abs(b.contract.strike - strike)) ||
    compare(a.contract.expiration, b.contract.expiration)
  )
}

/**
 * A written call covered by stock held, a written put by stock sold short. The option requires nothing, and the stock
 * is valued at no better than the exercise price: what the option is in the money counts. Stock held requires the
 * maintenance of that value, because the call takes it away at the exercise price.
 */
export function coveredOptions({ shorts, stocks }: Holdings): Combination[] {
  return shorts.flatMap((short) =>
    coversOf(short, stocks).map((stock) => {
      const required = isShort(stock.position) ? undefined : needsAtExercise(short, stock)
      const lessForStock = required === undefined ? ZERO : relief(short, stock, required.house)
      return {
        options: [short],
        stock,
        saved: uncovered(short) - short.inMoney + lessForStock,
        take: (contracts) => {
          addRequirement(short, contracts, short.inMoney)
          if (required === undefined) useStock(stock, unitsOf(short, contracts), {})
          else protect(stock, unitsOf(short, contracts), required)
        },
      }
    }),
  )
}

/**
 * A written call covered by a security held that converts into the stock: "the security itself, or its equivalent"
 * (Federal Reserve Bank of New York, circular 7969; Cboe Margin Manual, "Short Call and Long Marginable Convertibles").
 * The option requires what it is in the money, and the security its own margin.
 */
export function coveredByConvertibles({ shorts, stocks }: Holdings): Combination[] {
  const calls = shorts.filter(({ contract }) => contract.putCall === 'Call')
  return calls.flatMap((short) =>
    stocks.flatMap((stock) => {
      const { ratio } = stock
      if (ratio === undefined || isShort(stock.position)) return []
      return {
        options: [short],
        stock,
        saved: uncovered(short) - short.inMoney,
        take: (contracts: Decimal) => {
          addRequirement(short, contracts, short.inMoney)
          useStock(stock, multiplyDivide(unitsOf(short, contracts), ONE, ratio, UNIT_PLACES), {})
        },
      }
    }),
  )
}

/** The shares that a stock, or a security that converts into it, has left. */
function sharesLeft({ left, ratio }: Stock): Decimal {
  return ratio === undefined ? left : multiply(left, ratio, UNIT_PLACES)
}

function coversOf(short: ShortOption, stocks: readonly Stock[]): readonly Stock[] {
  const isPut = short.contract.putCall === 'Put'
  return stocks.filter(({ position, ratio }) => isShort(position) === isPut && ratio === undefined)
}

function unitsOf({ position }: ShortOption | LongOption, contracts: Decimal): Decimal {
  return multiply(contracts, position.multiplier, UNIT_PLACES)
}

/**
 * Collars and conversions: stock held with a written call and a long put of the same expiration whose exercise price is
 * not above the call's. Reverse conversions: stock sold short with a written put and a long call of the same terms.
 */
export function collars({ shorts, longs, stocks }: Holdings): Combination[] {
  return shorts.flatMap((short) =>
    coversOf(short, stocks).flatMap((stock) =>
      longs
        .filter((long) => isCollar(short, long))
        .map((long) => {
          const required = collarRequires(short, long, stock)
          return {
            options: [short, long],
            stock,
            saved: uncovered(short) - short.inMoney + relief(long, stock, required.house),
            take: (contracts) => {
              addRequirement(short, contracts, short.inMoney)
              protect(stock, unitsOf(short, contracts), required)
            },
          }
        }),
    ),
  )
}

function isCollar({ contract, position }: ShortOption, long: LongOption): boolean {
  if (
    long.contract.putCall === contract.putCall ||
    long.contract.expiration !== contract.expiration ||
    long.position.multiplier !== position.multiplier
  )
    return false
  return contract.putCall === 'Call'
    ? long.contract.strike <= contract.strike
    : long.contract.strike === contract.strike
}

/** What one unit of stock requires. */
interface UnitNeeds {
  readonly law: Decimal
  readonly house: Decimal
}

/**
 * FINRA Rule 4210(f)(2)(H)(v): percent of the exercise price. Its own text was not seen printed. For long calls against
 * short stock, the help page "Protective Call" of tastytrade prints it with the amount out of the money and the limit.
 */
const EXERCISE_PERCENT = decimal('10')

function collarRequires(short: ShortOption, long: LongOption, stock: Stock): UnitNeeds {
  const { contract } = short
  if (long.contract.strike === contract.strike) {
    const required = percentOfUnit(contract.strike, EXERCISE_PERCENT)
    return { law: required, house: required }
  }
  const ofPut = protectedNeeds(long, stock)
  const atExercise = needsAtExercise(short, stock)
  return { law: min(ofPut, atExercise.law), house: min(ofPut, atExercise.house) }
}

/** For one unit of stock held: its rate on the exercise price of the call, at which it would be called away. */
function needsAtExercise({ contract: { strike } }: ShortOption, { needs, position }: Stock): UnitNeeds {
  const value = max(position.marketValue, 1n)
  const rateOf = (required: Decimal) => multiplyDivide(required, strike, value, UNIT_PLACES)
  return { law: rateOf(needs.law), house: rateOf(needs.house) }
}

/** For one unit of stock: 10 percent of the exercise price and what the option is out of the money. */
function protectedNeeds(
  { contract: { strike, putCall } }: LongOption,
  { position: { price } }: Stock,
): Decimal {
  const outOfMoney = max(ZERO, putCall === 'Put' ? price - strike : strike - price)
  return percentOfUnit(strike, EXERCISE_PERCENT) + outOfMoney
}

/** What the shares of one contract require less than alone, at the house's rates. */
function relief(
  { position: { multiplier } }: ShortOption | LongOption,
  { needs, position }: Stock,
  required: Decimal,
): Decimal {
  const units = abs(position.unitQuantity)
  if (units === ZERO) return ZERO
  const usual = multiplyDivide(needs.house, multiplier, units, UNIT_PLACES)
  return max(ZERO, usual - multiply(required, multiplier, UNIT_PLACES))
}

function protect(stock: Stock, units: Decimal, required: UnitNeeds): void {
  useStock(stock, units, {
    law: multiply(required.law, units, UNIT_PLACES),
    house: multiply(required.house, units, UNIT_PLACES),
  })
}

/**
 * A long put limits the loss on stock held, a long call that on stock sold short: the lesser of both requirements
 * counts.
 */
export function protectiveOptions({ longs, stocks }: Holdings): Combination[] {
  return stocks.flatMap((stock) => {
    if (stock.ratio !== undefined) return []
    const side = isShort(stock.position) ? 'Call' : 'Put'
    return longs
      .filter(({ contract }) => contract.putCall === side)
      .map((long) => {
        const required = protectedNeeds(long, stock)
        return {
          options: [long],
          stock,
          saved: relief(long, stock, required),
          take: (contracts) => protect(stock, unitsOf(long, contracts), { law: required, house: required }),
        }
      })
  })
}
