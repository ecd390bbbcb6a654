/**
 * The positions of an account during a day, with the prices of their trades, and the equity less the maintenance of
 * those that a line concerns.
 */
import { type Decimal, max, min, sum, ZERO } from '@clearing/domain/decimal'
import {
  type HouseRates,
  holdingName,
  type MarginPosition,
  marginFigures,
  underlyingOf,
} from '@clearing/domain/market'
import type { HeldPosition } from '../../store/day-accounts.ts'
import type { MarketFacts } from '../margin/market-facts.ts'
import { positionAtPrice } from '../margin/position-at-price.ts'
import type { Leg, PriceOf } from './line-legs.ts'

/** A position of one account type. */
interface Holding {
  readonly secNo: string
  quantity: Decimal
  recent: Decimal
}

export class BookOfDay {
  /** By `holdingName`. */
  readonly #holdings = new Map<string, Holding>()
  readonly #prices = new Map<string, Decimal>()
  /** The positions of each underlying, and their maintenance excess. */
  readonly #groups = new Map<string, Holding[]>()
  readonly #excess = new Map<string, Decimal>()
  readonly #rates: HouseRates
  readonly #facts: MarketFacts
  /** The price of what is not traded. */
  readonly #priceOf: PriceOf

  constructor(held: readonly HeldPosition[], rates: HouseRates, facts: MarketFacts, priceOf: PriceOf) {
    this.#rates = rates
    this.#facts = facts
    this.#priceOf = priceOf
    for (const { secNo, acctType, quantity, recentQuantity = ZERO } of held)
      this.#add({ secNo, acctType, quantity, recent: recentQuantity })
  }

  /** Goes back before a line. What was traded has the price of its first trade before it. */
  takeBack(legs: readonly Leg[]): void {
    for (const leg of legs) this.#add({ ...leg, quantity: -leg.quantity, recent: -leg.recent })
  }

  /** The change of equity less maintenance by a line, without its cash. */
  apply(legs: readonly Leg[]): Decimal {
    const underlyings = new Set(legs.map(({ secNo }) => this.#underlyingOf(secNo)))
    const before = sum([...underlyings].map((one) => this.#excessOf(one)))
    for (const leg of legs) this.#add(leg)
    for (const one of underlyings) this.#excess.delete(one)
    return sum([...underlyings].map((one) => this.#excessOf(one))) - before
  }

  #underlyingOf(secNo: string): string {
    return underlyingOf(this.#facts.marginPosition(secNo, ZERO))
  }

  #add({ secNo, acctType, quantity, recent, price }: Leg): void {
    if (price !== undefined) this.#prices.set(secNo, price)
    const name = holdingName(acctType, secNo)
    const before = this.#holdings.get(name)
    if (before !== undefined) {
      before.quantity += quantity
      before.recent += recent
      return
    }
    const holding = { secNo, quantity, recent }
    this.#holdings.set(name, holding)
    const underlying = this.#underlyingOf(secNo)
    this.#groups.set(underlying, [...(this.#groups.get(underlying) ?? []), holding])
  }

  #excessOf(underlying: string): Decimal {
    const known = this.#excess.get(underlying)
    if (known !== undefined) return known
    const positions = (this.#groups.get(underlying) ?? [])
      .map((holding) => this.#positionOf(holding))
      .filter(({ quantity }) => quantity !== ZERO)
    const excess = marginFigures({ marginCash: ZERO, positions, rates: this.#rates }).maintenanceExcess
    this.#excess.set(underlying, excess)
    return excess
  }

  #positionOf({ secNo, quantity, recent }: Holding): MarginPosition {
    const recentUnits = max(ZERO, min(quantity, recent))
    const position = positionAtPrice(secNo, quantity, this.#priceAt(secNo), this.#facts, recentUnits)
    const underlying = this.#facts.underlyingOf(secNo)
    const underlyingPrice = underlying === undefined ? undefined : this.#priceAt(underlying)
    return { ...position, underlyingPrice: underlyingPrice ?? position.underlyingPrice }
  }

  #priceAt(secNo: string): Decimal | undefined {
    return this.#prices.get(secNo) ?? this.#priceOf(secNo)
  }
}
