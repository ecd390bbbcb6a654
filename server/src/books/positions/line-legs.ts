/** What the lines of a day buy, sell, or move in another way, and at which price. */
import type { AcctType } from '@clearing/domain/books'
import { abs, type Decimal, max, ZERO } from '@clearing/domain/decimal'
import { unitQuantityOf } from '@clearing/domain/market'
import type { MarginLine } from '../../store/margin-lines.ts'
import type { UnitsOfLine } from '../../store/units-moved.ts'
import { tradePrice, tradesOf } from '../margin/as-trade.ts'
import type { MarketFacts } from '../margin/market-facts.ts'
import { intrinsicPrice } from '../margin/position-at-price.ts'

/** What a line buys or sells, or moves in another way. */
export interface Leg {
  readonly secNo: string
  readonly acctType: AcctType
  /** Negative: sold, or out of the account. */
  readonly quantity: Decimal
  /** US dollars for one unit. Undefined: the line does not change the price. */
  readonly price?: Decimal | undefined
  /** The part of `quantity` that is of a mutual fund and was bought within the last 30 days. */
  readonly recent: Decimal
}

export type PriceOf = (secNo: string) => Decimal | undefined

/** A trade, or the outcome of an option that delivers its underlying. */
export function isTraded({ transType, toSecNo }: MarginLine): boolean {
  return transType === 'Trade' || (toSecNo !== undefined && ['Exercise', 'Assignment'].includes(transType))
}

/** A trade has one leg. A delivery has the underlying at the exercise price, and the option that ends. */
export function tradedLegs(line: MarginLine, priceOf: PriceOf, facts: MarketFacts): Leg[] {
  const { secNo, acctType, transType } = line
  if (secNo === undefined) return []
  if (transType === 'Trade') return [legOf(line, facts)].filter((leg) => leg !== undefined)
  const contracts = abs(line.quantity)
  const price = intrinsicPrice(secNo, facts, priceOf(facts.underlyingOf(secNo) ?? ''))
  const delivered = tradesOf(line, facts).map((part) => legOf({ ...part, acctType }, facts))
  return [
    { secNo, acctType, price, quantity: transType === 'Exercise' ? -contracts : contracts, recent: ZERO },
    ...delivered.filter((leg) => leg !== undefined),
  ]
}

function legOf(line: MarginLine, facts: MarketFacts): Leg | undefined {
  const { secNo, acctType, buySell, netAmount, currency, closed = ZERO, closedRecent } = line
  if (secNo === undefined) return undefined
  const quantity = abs(line.quantity)
  const security = facts.security(secNo)
  const price = tradePrice(
    line,
    abs(facts.inUsd(netAmount, currency)),
    unitQuantityOf(quantity, security),
    facts,
  )
  const sells = buySell === 'SEL' || buySell === 'SSL'
  const recent = sells ? -closedRecent : max(ZERO, quantity - closed)
  return {
    secNo,
    acctType,
    quantity: sells ? -quantity : quantity,
    price: price ?? ZERO,
    recent: security.kind === 'Fund' ? recent : ZERO,
  }
}

export function movedLegs({ transType }: MarginLine, moved: readonly UnitsOfLine[] = []): Leg[] {
  return moved.map(({ secNo, acctType, units }) => {
    return { secNo, acctType, quantity: units, recent: transType === 'Reinvest' ? units : ZERO }
  })
}
