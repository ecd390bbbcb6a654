/**
 * What sales of long positions take off the requirements, and the least sale that meets a call. A sale releases the
 * percentage of its position: half of stock for Regulation T, a few percent of a Treasury.
 */

import { abs, type Decimal, max, min, multiply, multiplyDivide, ZERO } from '../../decimal.ts'
import { needsAlone, ratesInForce } from './figures.ts'
import { underlyingOf } from './offsets/index.ts'
import { type HouseRates, isShort, type MarginPosition } from './position.ts'

/** A part of a long position that can be sold, and what its sale takes off the requirements. */
interface Sale {
  readonly marketValue: Decimal
  /** By Regulation T. */
  readonly initial: Decimal
  /** At the house's rates, without an add-on for concentration. */
  readonly house: Decimal
}

/** The sales of one position, in the order in which its units leave. */
export type PositionSales = readonly Sale[]

const MONEY_PLACES = 2
const UNIT_PLACES = 8

/**
 * The sales of the long positions of an account. Units that can be part of a combination are left out, because their
 * sale can increase what the rest of the combination requires.
 */
export function salesOf(positions: readonly MarginPosition[], houseRates?: HouseRates): PositionSales[] {
  const rates = ratesInForce(houseRates)
  const groups = Map.groupBy(positions, underlyingOf)
  return positions.flatMap((position) => {
    if (position.marketValue <= ZERO) return []
    const others = (groups.get(underlyingOf(position)) ?? []).filter((other) => other !== position)
    const free = freeUnits(position, others)
    return free > ZERO ? [salesOfUnits(position, free, rates)] : []
  })
}

/** Units of a mutual fund that were bought in the last 30 days are sold last, and release their whole value. */
function salesOfUnits(position: MarginPosition, free: Decimal, rates: HouseRates): PositionSales {
  const { unitQuantity, marketValue, recentUnits = ZERO } = position
  const share = (amount: Decimal, units: Decimal) => multiplyDivide(amount, units, unitQuantity, MONEY_PLACES)
  const recent = share(marketValue, min(recentUnits, unitQuantity))
  const { initial, house } = needsAlone(position, rates)
  const old = max(ZERO, free - recentUnits)
  const oldUnits = unitQuantity - recentUnits
  const ofOld = (amount: Decimal) =>
    old === ZERO ? ZERO : multiplyDivide(amount - recent, old, oldUnits, MONEY_PLACES)
  const ofRecent = share(marketValue, free - old)
  return [
    { marketValue: ofOld(marketValue), initial: ofOld(initial), house: ofOld(house) },
    { marketValue: ofRecent, initial: ofRecent, house: ofRecent },
  ]
}

/** The units of a long position that no other position in its underlying can combine with. */
function freeUnits({ option, converts, unitQuantity }: MarginPosition, others: MarginPosition[]): Decimal {
  const isOption = option !== undefined
  if (isOption || converts !== undefined)
    return others.some((other) => isShort(other) || isOption !== (other.option !== undefined))
      ? ZERO
      : unitQuantity
  let free = unitQuantity
  for (const other of others) {
    if (other.option !== undefined) free -= multiply(abs(other.quantity), other.multiplier, UNIT_PLACES)
    else if (isShort(other)) free += other.unitQuantity
  }
  return free
}

/**
 * The least market value whose sale takes an amount off a requirement: what releases most is sold first. Null if all
 * sales together release less.
 */
export function sellToRelease(
  amount: Decimal,
  requirement: 'initial' | 'house',
  sales: readonly PositionSales[],
): Decimal | null {
  let left = amount
  let sold = ZERO
  for (const { marketValue, [requirement]: released } of sales.toSorted(byRelease(requirement)).flat()) {
    if (released === ZERO) continue
    const part = min(left, released)
    sold += multiplyDivide(marketValue, part, released, MONEY_PLACES)
    left -= part
    if (left === ZERO) return sold
  }
  return null
}

/** By the percentage that the first units of a position release, the largest first. */
function byRelease(requirement: 'initial' | 'house') {
  const first = (sales: PositionSales) => sales.find(({ marketValue }) => marketValue > ZERO)
  return (a: PositionSales, b: PositionSales): number => {
    const [one, other] = [first(a), first(b)]
    if (one === undefined || other === undefined) return 0
    const left = one[requirement] * other.marketValue
    const right = other[requirement] * one.marketValue
    return left === right ? 0 : left > right ? -1 : 1
  }
}
