/**
 * Estimates for positions without a price, in margin figures only: the price of the account's last trade in the
 * security, otherwise what its lots cost. FINRA Rule 4210(a)(2) values a security on the day of its trade at its cost
 * or net proceeds, and without a closing price at a reasonable estimate.
 */
import { type Decimal, multiply } from '@clearing/domain/decimal'
import { costPrice, type MarginPosition } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import {
  nameOfHolding,
  readCostsOfHoldings,
  readLastTrades,
  type TradeWanted,
} from '../../store/books/prices/last-trades.ts'
import type { HeldPosition } from '../../store/day-accounts.ts'
import type { MarketFacts } from './market-facts.ts'
import { positionAtPrice } from './position-at-price.ts'

const pricePlaces = 10

export class EstimatedPrices {
  readonly #prices = new Map<string, Decimal>()

  /** Reads the estimates for securities without a price. Most portions of a close have none. */
  static async read(tx: Tx, wanted: readonly TradeWanted[], facts: MarketFacts, day: string) {
    const estimates = new EstimatedPrices()
    const unpriced = wanted.filter(({ secNo }) => !facts.isPriced(secNo))
    if (unpriced.length === 0) return estimates
    const [trades, costs] = await Promise.all([
      readLastTrades(tx, unpriced, day),
      readCostsOfHoldings(tx, unpriced),
    ])
    for (const { accountNumber, secNo } of unpriced) {
      const name = nameOfHolding(accountNumber, secNo)
      const lots = costs.get(name)
      const price = trades.get(name) ?? (lots && costPrice(lots.cost, lots.quantity, facts.security(secNo)))
      if (price !== undefined) estimates.#prices.set(name, price)
    }
    return estimates
  }

  /** The position with its price, or its estimate if it has none. */
  positionOf(
    accountNumber: string,
    { secNo, quantity }: HeldPosition,
    recentUnits: Decimal | undefined,
    facts: MarketFacts,
  ): MarginPosition {
    if (facts.isPriced(secNo)) return facts.marginPosition(secNo, quantity, recentUnits)
    const own = this.#prices.get(nameOfHolding(accountNumber, secNo))
    const price = own && multiply(own, facts.rateOf(facts.security(secNo).currency), pricePlaces)
    const position = positionAtPrice(secNo, quantity, price, facts, recentUnits)
    return own === undefined ? { ...position, isUnknown: true } : position
  }
}
