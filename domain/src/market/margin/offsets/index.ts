/**
 * The combinations of an account, underlying by underlying. Every order of `orders` is computed, and the one that
 * requires least at the house's rates counts; of two that require the same, the earlier.
 */

import { type Decimal, ZERO } from '../../../decimal.ts'
import { isShort, type MarginPosition } from '../position.ts'
import {
  copyOf,
  type Holdings,
  holdingsOf,
  type OptionRequirement,
  roundResults,
  type StockNeeds,
  type StockRelief,
  totalOf,
} from './holdings.ts'
import { requireTheRest, spreadAsWhole, spreadInPairs } from './spread-steps.ts'
import { coverWithStock, pairStocks, protectStocks, takeCollars } from './stock-steps.ts'

export type { OptionRequirement, StockNeeds, StockRelief } from './holdings.ts'

type Step = (holdings: Holdings) => void

/** Without stock only the spreads differ, and without long options only what stock covers. */
const ordersOfOptions: readonly (readonly Step[])[] = [
  [spreadInPairs, requireTheRest],
  [spreadAsWhole, spreadInPairs, requireTheRest],
]
const ordersWithoutLongs: readonly (readonly Step[])[] = [
  [pairStocks, coverWithStock, requireTheRest],
  [coverWithStock, pairStocks, requireTheRest],
]
const orders: readonly (readonly Step[])[] = [
  [pairStocks, coverWithStock, spreadInPairs, protectStocks, requireTheRest],
  [pairStocks, coverWithStock, spreadAsWhole, spreadInPairs, protectStocks, requireTheRest],
  [pairStocks, spreadInPairs, coverWithStock, protectStocks, requireTheRest],
  [pairStocks, spreadAsWhole, spreadInPairs, coverWithStock, protectStocks, requireTheRest],
  [pairStocks, takeCollars, coverWithStock, spreadInPairs, protectStocks, requireTheRest],
  [coverWithStock, spreadInPairs, protectStocks, pairStocks, requireTheRest],
]
/**
 * Steps that look at every pair of options are left out of an underlying with more pairs than that, so that the cost
 * stays in proportion to the lines. Fewer combinations are found then; the requirement is never less than the rule's.
 */
const PAIRS_MAX = 100_000
const ofEveryPair: ReadonlySet<Step> = new Set([spreadInPairs, takeCollars])

export interface Offsets {
  readonly options: ReadonlyMap<MarginPosition, OptionRequirement>
  readonly stocks: ReadonlyMap<MarginPosition, StockRelief>
}

/** What every short option requires, and what combinations take off the requirement of stock. */
export function offsetsOf(
  positions: readonly MarginPosition[],
  needsOf: (position: MarginPosition) => StockNeeds,
): Offsets {
  const options = new Map<MarginPosition, OptionRequirement>()
  const stocks = new Map<MarginPosition, StockRelief>()
  for (const group of groupsOf(positions)) {
    const { shorts, stocks: combined } = lowest(group, needsOf)
    for (const { position, result } of shorts) options.set(position, result)
    for (const { position, relief } of combined) if (relief.house > ZERO) stocks.set(position, relief)
  }
  return { options, stocks }
}

/** Positions in one underlying among which something can combine: with a short option, or with two sides. */
function groupsOf(positions: readonly MarginPosition[]): MarginPosition[][] {
  const names = new Set<string>()
  for (const position of positions) {
    if (position.option !== undefined || isShort(position)) names.add(underlyingOf(position))
  }
  if (names.size === 0) return []
  const groups = new Map<string, MarginPosition[]>()
  for (const position of positions) {
    const name = underlyingOf(position)
    if (!names.has(name)) continue
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [position])
    else group.push(position)
  }
  return [...groups.values()].filter(
    (group) =>
      group.length > 1 || group.some((position) => position.option !== undefined && isShort(position)),
  )
}

function underlyingOf({ option, converts, symbol, secNo }: MarginPosition): string {
  return option?.underlying ?? converts?.symbol ?? (symbol || secNo)
}

function lowest(
  group: readonly MarginPosition[],
  needsOf: (position: MarginPosition) => StockNeeds,
): Holdings {
  const held = holdingsOf(group, needsOf)
  const isWide = held.shorts.length * held.longs.length > PAIRS_MAX
  let best: Holdings | undefined
  let least: Decimal | undefined
  for (const order of ordersFor(held)) {
    const holdings = copyOf(held)
    for (const step of order) if (!isWide || !ofEveryPair.has(step)) step(holdings)
    const total = totalOf(holdings)
    if (least === undefined || total < least) {
      best = holdings
      least = total
    }
  }
  if (best === undefined) throw new Error('there is no order of combinations')
  roundResults(best)
  return best
}

function ordersFor({ longs, stocks }: Holdings): readonly (readonly Step[])[] {
  if (stocks.length === 0) return ordersOfOptions
  return longs.length === 0 ? ordersWithoutLongs : orders
}
