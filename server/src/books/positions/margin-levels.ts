/**
 * How the lines of a day change the intraday margin level: the equity of the positions that a line concerns less their
 * maintenance, before and after it, and its cash. What is traded has the price of the trade, and all else that of the
 * close before the day. A loss that a trade realizes therefore lowers the level, and the market does not.
 */

import type { AcctType } from '@clearing/domain/books'
import { abs, type Decimal, max, min, sum, ZERO } from '@clearing/domain/decimal'
import {
  type HouseRates,
  holdingName,
  type LevelChange,
  type MarginPosition,
  marginFigures,
  underlyingOf,
  unitQuantityOf,
} from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import type { HeldPosition } from '../../store/day-accounts.ts'
import type { LinesWanted, MarginLine } from '../../store/margin-lines.ts'
import { readUnitsOfLines, type UnitsOfLine } from '../../store/units-moved.ts'
import { tradePrice, tradesOf } from '../margin/as-trade.ts'
import { securitiesOf } from '../margin/margin-events.ts'
import type { MarketFacts } from '../margin/market-facts.ts'
import { intrinsicPrice, positionAtPrice } from '../margin/position-at-price.ts'
import { securitiesOnDay } from '../margin/unit-changes.ts'

/** What a line buys or sells, or moves in another way. */
interface Leg {
  readonly secNo: string
  readonly acctType: AcctType
  /** Negative: sold, or out of the account. */
  readonly quantity: Decimal
  /** US dollars for one unit. Undefined: the line does not change the price. */
  readonly price?: Decimal | undefined
  /** The part of `quantity` that is of a mutual fund and was bought within the last 30 days. */
  readonly recent: Decimal
}

interface LineWithLegs {
  readonly line: MarginLine
  readonly legs: readonly Leg[]
}

type PriceOf = (secNo: string) => Decimal | undefined

/**
 * The changes by the lines of a day, in their order. `held` are the positions of account types 2 and 3 after them.
 * `facts` must have the securities of both.
 */
export async function readLevelChanges(
  tx: Tx,
  account: {
    readonly wanted: LinesWanted
    readonly day: string
    readonly lines: readonly MarginLine[]
    readonly held: readonly HeldPosition[]
  },
  rates: HouseRates,
  facts: MarketFacts,
): Promise<LevelChange[]> {
  const { wanted, day, lines, held } = account
  const others = lines.filter((line) => line.secNo !== undefined && !isTraded(line))
  const moved = await readUnitsOfLines(
    tx,
    wanted,
    others.map(({ sequence }) => sequence),
  )
  const ofMoves = [...moved.values()].flat().map(({ secNo }) => secNo)
  await facts.learn(tx, ofMoves)
  const groupOf = (secNo: string) => underlyingOf(facts.marginPosition(secNo, ZERO))
  const concerned = new Set([...securitiesOf(lines), ...ofMoves].map(groupOf))
  const secNos = facts.secNos.filter((secNo) => concerned.has(groupOf(secNo)))
  const onDay = securitiesOnDay(secNos, { day, lines }, facts)
  await facts.learnDays(tx, onDay)
  const prices = new Map(onDay.map((one) => [one.secNo, facts.priceOnDay(one)]))
  const priceOf = (secNo: string) => prices.get(secNo)
  const withLegs = lines.map((line) => {
    const legs = isTraded(line) ? tradedLegs(line, priceOf, facts) : movedLegs(line, moved.get(line.sequence))
    return { line, legs }
  })
  return levelChanges(withLegs, new BookOfDay(held, rates, facts, priceOf), facts)
}

/** A trade, or the outcome of an option that delivers its underlying. */
function isTraded({ transType, toSecNo }: MarginLine): boolean {
  return transType === 'Trade' || (toSecNo !== undefined && ['Exercise', 'Assignment'].includes(transType))
}

/** The price falls by what these lines add in units. They change the level by their cash alone. */
const neutral = new Set<MarginLine['transType']>(['Split', 'StockDividend', 'Spinoff', 'NameChange'])

function levelChanges(
  days: readonly LineWithLegs[],
  book: BookOfDay,
  facts: Pick<MarketFacts, 'inUsd'>,
): LevelChange[] {
  for (const { legs } of days.toReversed()) book.takeBack(legs)
  const changes: { amount: Decimal; together: string | undefined }[] = []
  for (const { line, legs } of days) {
    const moved = book.apply(legs)
    const amount = (neutral.has(line.transType) ? ZERO : moved) + facts.inUsd(line.netAmount, line.currency)
    const together = togetherBy(line)
    const last = changes.at(-1)
    if (last !== undefined && together !== undefined && last.together === together) last.amount += amount
    else changes.push({ amount, together })
  }
  return changes
}

/**
 * Consecutive lines of the same name are one change: the trades of one order, because a combination is entered leg by
 * leg, both sides of a journal, and the parts of a transfer.
 */
function togetherBy({ transType, orderId }: MarginLine): string | undefined {
  if (transType === 'Journal') return 'journal'
  if (transType === 'TransferIn' || transType === 'TransferOut') return 'transfer'
  return orderId === undefined ? undefined : `order ${orderId}`
}

/** A trade has one leg. A delivery has the underlying at the exercise price, and the option that ends. */
function tradedLegs(line: MarginLine, priceOf: PriceOf, facts: MarketFacts): Leg[] {
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

function movedLegs({ transType }: MarginLine, moved: readonly UnitsOfLine[] = []): Leg[] {
  return moved.map(({ secNo, acctType, units }) => {
    return { secNo, acctType, quantity: units, recent: transType === 'Reinvest' ? units : ZERO }
  })
}

/** A position of one account type. */
interface Holding {
  readonly secNo: string
  quantity: Decimal
  recent: Decimal
}

class BookOfDay {
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
