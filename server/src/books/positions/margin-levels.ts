/**
 * How the trades of a day change the intraday margin level: the equity of the positions that a trade concerns less
 * their maintenance, before and after it, at the prices of the trades. A loss that a trade realizes therefore lowers
 * the level, and written options require what they require in their combinations.
 */
import { abs, type Decimal, sum, ZERO } from '@clearing/domain/decimal'
import {
  type HouseRates,
  type LevelChange,
  marginFigures,
  underlyingOf,
  unitQuantityOf,
} from '@clearing/domain/market'
import type { HeldPosition } from '../../store/day-accounts.ts'
import type { MarginLine } from '../../store/margin-lines.ts'
import { tradePrice, tradesOf } from '../margin/as-trade.ts'
import type { MarketFacts } from '../margin/market-facts.ts'
import { intrinsicPrice, positionAtPrice } from '../margin/position-at-price.ts'

/**
 * The changes by the lines of a day, in their order. `held` are the positions of account types 2 and 3 after them.
 * Consecutive trades of one order are one change, because a combination is entered leg by leg. Trades and deliveries
 * move positions here; other lines change the level by their cash. `facts` must have all securities.
 */
export function levelChanges(
  lines: readonly MarginLine[],
  held: readonly HeldPosition[],
  rates: HouseRates,
  facts: MarketFacts,
): LevelChange[] {
  const days = lines.map((line) => ({ line, legs: legsOf(line, facts) }))
  const book = new BookOfDay(held, rates, facts)
  for (const { legs } of days.toReversed()) book.takeBack(legs)
  const changes: { amount: Decimal; order: string | undefined }[] = []
  for (const { line, legs } of days) {
    const amount = book.apply(legs) + facts.inUsd(line.netAmount, line.currency)
    const last = changes.at(-1)
    if (last !== undefined && line.orderId !== undefined && last.order === line.orderId) last.amount += amount
    else changes.push({ amount, order: line.orderId })
  }
  return changes
}

/** What a line buys or sells. */
interface Leg {
  readonly secNo: string
  /** Negative: sold. */
  readonly quantity: Decimal
  /** US dollars for one unit. */
  readonly price: Decimal
}

/** A trade has one leg. A delivery has the underlying at the exercise price, and the option that ends. */
function legsOf(line: MarginLine, facts: MarketFacts): Leg[] {
  const { transType, secNo, toSecNo } = line
  if (secNo === undefined) return []
  if (transType === 'Trade') return [legOf(line, facts)].filter((leg) => leg !== undefined)
  if ((transType !== 'Exercise' && transType !== 'Assignment') || toSecNo === undefined) return []
  const contracts = abs(line.quantity)
  const option = { secNo, price: intrinsicPrice(secNo, facts) }
  const delivered = tradesOf(line, facts).map((part) => legOf(part, facts))
  return [
    { ...option, quantity: transType === 'Exercise' ? -contracts : contracts },
    ...delivered.filter((leg) => leg !== undefined),
  ]
}

function legOf(line: MarginLine, facts: MarketFacts): Leg | undefined {
  const { secNo, buySell, netAmount, currency } = line
  if (secNo === undefined) return undefined
  const quantity = abs(line.quantity)
  const units = unitQuantityOf(quantity, facts.security(secNo))
  const price = tradePrice(line, abs(facts.inUsd(netAmount, currency)), units, facts)
  const sells = buySell === 'SEL' || buySell === 'SSL'
  return { secNo, quantity: sells ? -quantity : quantity, price: price ?? ZERO }
}

class BookOfDay {
  readonly #quantities = new Map<string, Decimal>()
  readonly #prices = new Map<string, Decimal>()
  /** The securities of each underlying, and the maintenance excess of their positions. */
  readonly #groups = new Map<string, Set<string>>()
  readonly #excess = new Map<string, Decimal>()
  readonly #rates: HouseRates
  readonly #facts: MarketFacts

  constructor(held: readonly HeldPosition[], rates: HouseRates, facts: MarketFacts) {
    this.#rates = rates
    this.#facts = facts
    for (const { secNo, quantity } of held) this.#add(secNo, quantity)
  }

  /** Goes back before a line. What was traded has the price of its first trade before it. */
  takeBack(legs: readonly Leg[]): void {
    for (const { secNo, quantity, price } of legs) {
      this.#add(secNo, -quantity)
      this.#prices.set(secNo, price)
    }
  }

  /** The change of equity less maintenance by a line, without its cash. */
  apply(legs: readonly Leg[]): Decimal {
    const underlyings = new Set(legs.map(({ secNo }) => this.#underlyingOf(secNo)))
    const before = sum([...underlyings].map((one) => this.#excessOf(one)))
    for (const { secNo, quantity, price } of legs) {
      this.#add(secNo, quantity)
      this.#prices.set(secNo, price)
    }
    for (const one of underlyings) this.#excess.delete(one)
    return sum([...underlyings].map((one) => this.#excessOf(one))) - before
  }

  #underlyingOf(secNo: string): string {
    return underlyingOf(this.#facts.marginPosition(secNo, ZERO))
  }

  #add(secNo: string, quantity: Decimal): void {
    const before = this.#quantities.get(secNo)
    this.#quantities.set(secNo, (before ?? ZERO) + quantity)
    if (before !== undefined) return
    const underlying = this.#underlyingOf(secNo)
    this.#groups.set(underlying, (this.#groups.get(underlying) ?? new Set()).add(secNo))
  }

  #excessOf(underlying: string): Decimal {
    const known = this.#excess.get(underlying)
    if (known !== undefined) return known
    const positions = [...(this.#groups.get(underlying) ?? [])]
      .map((secNo) => {
        const quantity = this.#quantities.get(secNo) ?? ZERO
        return positionAtPrice(secNo, quantity, this.#prices.get(secNo), this.#facts)
      })
      .filter(({ quantity }) => quantity !== ZERO)
    const excess = marginFigures({ marginCash: ZERO, positions, rates: this.#rates }).maintenanceExcess
    this.#excess.set(underlying, excess)
    return excess
  }
}
