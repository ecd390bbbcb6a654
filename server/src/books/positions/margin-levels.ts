/**
 * How the trades of a day change the intraday margin level: the equity of the positions that a trade concerns less
 * their maintenance, before and after it, at the prices of the trades. A loss that a trade realizes therefore lowers
 * the level, and written options require what they require in their combinations.
 */
import { abs, type Decimal, ZERO } from '@clearing/domain/decimal'
import {
  type HouseRates,
  type LevelChange,
  marginFigures,
  underlyingOf,
  unitQuantityOf,
} from '@clearing/domain/market'
import type { HeldPosition } from '../../store/day-accounts.ts'
import type { MarginLine } from '../../store/margin-lines.ts'
import { tradePrice } from '../margin/as-trade.ts'
import type { MarketFacts } from '../margin/market-facts.ts'
import { positionAtPrice } from '../margin/position-at-price.ts'

/**
 * The changes by the lines of a day, in their order. `held` are the positions of account types 2 and 3 after them. The
 * trades of one order are one change, because a combination is entered leg by leg. `facts` must have all securities.
 */
export function levelChanges(
  lines: readonly MarginLine[],
  held: readonly HeldPosition[],
  rates: HouseRates,
  facts: MarketFacts,
): LevelChange[] {
  const book = new BookOfDay(held, rates, facts)
  for (const line of lines.toReversed()) book.takeBack(line)
  const changes: { amount: Decimal; order: string | undefined }[] = []
  for (const line of lines) {
    const amount = book.apply(line)
    const last = changes.at(-1)
    if (last !== undefined && line.orderId !== undefined && last.order === line.orderId) last.amount += amount
    else changes.push({ amount, order: line.orderId })
  }
  return changes
}

interface Trade {
  readonly secNo: string
  /** Negative: sold. */
  readonly quantity: Decimal
  /** US dollars for one unit. */
  readonly price: Decimal
}

class BookOfDay {
  readonly #quantities = new Map<string, Decimal>()
  readonly #prices = new Map<string, Decimal>()
  readonly #rates: HouseRates
  readonly #facts: MarketFacts

  constructor(held: readonly HeldPosition[], rates: HouseRates, facts: MarketFacts) {
    this.#rates = rates
    this.#facts = facts
    for (const { secNo, quantity } of held) this.#add(secNo, quantity)
  }

  /** Goes back before a trade. What was traded has the price of its first trade before it. */
  takeBack(line: MarginLine): void {
    const traded = this.#tradeOf(line)
    if (traded === undefined) return
    this.#add(traded.secNo, -traded.quantity)
    this.#prices.set(traded.secNo, traded.price)
  }

  /** The change of the level by a line, US dollars. */
  apply(line: MarginLine): Decimal {
    const cash = this.#facts.inUsd(line.netAmount, line.currency)
    const traded = this.#tradeOf(line)
    if (traded === undefined) return cash
    const before = this.#excessBeside(traded.secNo)
    this.#add(traded.secNo, traded.quantity)
    this.#prices.set(traded.secNo, traded.price)
    return this.#excessBeside(traded.secNo) - before + cash
  }

  #tradeOf(line: MarginLine): Trade | undefined {
    const { transType, secNo, buySell, netAmount, currency } = line
    if (transType !== 'Trade' || secNo === undefined) return undefined
    const quantity = abs(line.quantity)
    const units = unitQuantityOf(quantity, this.#facts.security(secNo))
    const price = tradePrice(line, abs(this.#facts.inUsd(netAmount, currency)), units, this.#facts)
    const sells = buySell === 'SEL' || buySell === 'SSL'
    return { secNo, quantity: sells ? -quantity : quantity, price: price ?? ZERO }
  }

  #add(secNo: string, quantity: Decimal): void {
    this.#quantities.set(secNo, (this.#quantities.get(secNo) ?? ZERO) + quantity)
  }

  /** The maintenance excess of the positions in the underlying of a security. */
  #excessBeside(secNo: string): Decimal {
    const concerned = [...this.#quantities]
      .map(([held, quantity]) => positionAtPrice(held, quantity, this.#prices.get(held), this.#facts))
      .filter(({ quantity }) => quantity !== ZERO)
    const underlying = underlyingOf(this.#facts.marginPosition(secNo, ZERO))
    const positions = concerned.filter((position) => underlyingOf(position) === underlying)
    return marginFigures({ marginCash: ZERO, positions, rates: this.#rates }).maintenanceExcess
  }
}
