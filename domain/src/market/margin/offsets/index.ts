/**
 * The combinations of an account, underlying by underlying, for each of its requirements. Every order of `orders` is
 * computed, and the one that requires least counts; of two that require the same, the earlier.
 */

import { type Decimal, roundTo } from '../../../decimal.ts'
import { isShort, type MarginPosition } from '../position.ts'
import {
  collars,
  coveredByConvertibles,
  coveredOptions,
  protectiveOptions,
  spreads,
  takeBestOf,
} from './combinations.ts'
import {
  copyOf,
  type Holdings,
  holdingsOf,
  type OptionRequirement,
  REQUIREMENTS,
  type Requirement,
  type StockNeeds,
  totalOf,
} from './holdings.ts'
import { pairStocks } from './pair-stocks.ts'
import { requireTheRest } from './uncovered.ts'
import { spreadAsWhole } from './whole-spreads.ts'

export type { OptionRequirement, Requirement, StockNeeds } from './holdings.ts'

const MONEY_PLACES = 2

type Step = (holdings: Holdings) => void

const takeBest = takeBestOf(coveredOptions, coveredByConvertibles, spreads, collars, protectiveOptions)
/** Without stock only the spreads differ, and without long options only whether stock covers options or is paired. */
const ordersOfOptions: readonly (readonly Step[])[] = [[takeBest], [spreadAsWhole, takeBest]]
const ordersWithoutLongs: readonly (readonly Step[])[] = [
  [pairStocks, takeBest],
  [takeBest, pairStocks],
]
const orders: readonly (readonly Step[])[] = [
  [pairStocks, takeBest],
  [pairStocks, spreadAsWhole, takeBest],
  [pairStocks, takeBestOf(spreads), takeBestOf(protectiveOptions), takeBest],
  [pairStocks, takeBestOf(protectiveOptions), takeBest],
  [pairStocks, takeBestOf(coveredOptions), takeBest],
  [takeBest, pairStocks],
]
/**
 * An underlying with more pairs of a short and a long option than that is combined without looking at each pair, so
 * that the cost stays in proportion to the lines. Fewer combinations are found then; the requirement is never less than
 * the rule's.
 */
const PAIRS_MAX = 100_000
const ordersOfMany: readonly (readonly Step[])[] = [
  [
    pairStocks,
    takeBestOf(coveredOptions, coveredByConvertibles),
    spreadAsWhole,
    takeBestOf(protectiveOptions),
  ],
  [pairStocks, spreadAsWhole, takeBestOf(coveredOptions, coveredByConvertibles, protectiveOptions)],
]

/** The combinations of which one of the requirements is lowest. */
export interface Offset {
  /** What every short option requires. */
  readonly options: Map<MarginPosition, OptionRequirement>
  /** What combinations take off the requirement of stock. */
  readonly stocks: Map<MarginPosition, Decimal>
}

/** By Regulation T (`initial`), by FINRA (`law`) and at the house's rates. */
export type Offsets = Readonly<Record<Requirement, Offset>>

/** The combinations of positions. `needsOf` gives what a position of stock requires alone. */
export function offsetsOf(
  positions: readonly MarginPosition[],
  needsOf: (position: MarginPosition) => StockNeeds,
): Offsets {
  const offsets: Offsets = { initial: emptyOffset(), law: emptyOffset(), house: emptyOffset() }
  for (const group of groupsOf(positions)) {
    const lowest = lowestOf(holdingsOf(group, needsOf))
    for (const requirement of REQUIREMENTS) {
      const { options, stocks } = offsets[requirement]
      const holdings = lowest[requirement]
      for (const { position, result } of holdings.shorts) options.set(position, rounded(result))
      for (const { position, relief } of holdings.stocks)
        stocks.set(position, roundTo(relief[requirement], MONEY_PLACES))
    }
  }
  return offsets
}

function emptyOffset(): Offset {
  return { options: new Map(), stocks: new Map() }
}

function rounded({ requirement, onTop }: OptionRequirement): OptionRequirement {
  return { requirement: roundTo(requirement, MONEY_PLACES), onTop: roundTo(onTop, MONEY_PLACES) }
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

/** Names the security whose positions combine with the position. */
export function underlyingOf({ family, option, converts, symbol, secNo }: MarginPosition): string {
  return family ?? option?.underlying ?? converts?.symbol ?? (symbol || secNo)
}

function lowestOf(held: Holdings): Record<Requirement, Holdings> {
  const [first, ...others] = ordersFor(held).map((order) => {
    const holdings = copyOf(held)
    for (const step of [...order, requireTheRest]) step(holdings)
    return holdings
  })
  if (first === undefined) throw new Error('there is no order of combinations')
  const least = (requirement: Requirement) =>
    others.reduce(
      (best, holdings) => (totalOf(holdings, requirement) < totalOf(best, requirement) ? holdings : best),
      first,
    )
  return { initial: least('initial'), law: least('law'), house: least('house') }
}

function ordersFor({ shorts, longs, stocks }: Holdings): readonly (readonly Step[])[] {
  if (shorts.length * longs.length > PAIRS_MAX) return ordersOfMany
  if (stocks.length === 0) return ordersOfOptions
  return longs.length === 0 ? ordersWithoutLongs : orders
}
