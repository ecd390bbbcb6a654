/**
 * The events of a margin ledger for written options, and for stock sold short beside a security that converts into it:
 * what their requirement becomes on each day of trades.
 */
import { abs, type Decimal, divide, max, ZERO } from '@clearing/domain/decimal'
import {
  changeOfWritten,
  isOption,
  type MarginEvent,
  type MarginPosition,
  soldBesideConvertibles,
  unitQuantityOf,
} from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import type { HeldPosition } from '../../store/day-accounts.ts'
import type { MarginLine } from '../../store/margin-lines.ts'
import { readUnitsMoved, type UnitsMoved } from '../../store/units-moved.ts'
import { boxedSecurities } from './against-the-box.ts'
import { amountInUsd, tradePrice, tradesOf } from './as-trade.ts'
import { withoutCancelled } from './counting-lines.ts'
import type { MarginTail } from './margin-tail.ts'
import type { MarketFacts, SecurityOnDay } from './market-facts.ts'
import { intrinsicPrice, positionAtPrice } from './position-at-price.ts'
import { securitiesOnDay } from './unit-changes.ts'

/** The lines of an account since its last ledger, and the positions of types 2 and 3 after them. */
export interface TailOfLines extends Pick<MarginTail, 'wanted' | 'lines'> {
  readonly held: readonly HeldPosition[]
  /** Lines that were traded until this day do not count. */
  readonly after?: string | undefined
}

const pricePlaces = 10

/** Lines that buy or sell stock at a price. */
const sales: ReadonlySet<MarginLine['transType']> = new Set(['Trade', 'Exercise', 'Assignment'])

/**
 * Reads the units that lines moved, for accounts that trade options, hold written options, hold a security long and
 * short, or hold short positions and a convertible. The events of other accounts do not depend on these units.
 * Afterwards `facts` has the securities that moved.
 */
export async function readOptionMoves(
  tx: Tx,
  tails: readonly TailOfLines[],
  facts: MarketFacts,
  until?: string,
): Promise<Map<string, UnitsMoved[]>> {
  const trading = tails.filter(({ lines }) => lines.length > 0)
  const withShorts = new Set(trading.filter(hasShort))
  const beside = [...withShorts].flatMap(({ held }) => held.map(({ secNo }) => secNo))
  const named = trading.flatMap(({ lines }) => lines.flatMap(({ secNo }) => secNo ?? []))
  await facts.learn(tx, [...named, ...beside])
  const isContract = (secNo: string) => isOption(facts.security(secNo).kind)
  const isConvertible = (secNo: string | undefined) =>
    secNo !== undefined && facts.security(secNo).converts !== undefined
  const withOptions = trading.filter((tail) => {
    const { lines, held } = tail
    return (
      lines.some(({ secNo }) => secNo !== undefined && isContract(secNo)) ||
      held.some(({ secNo, quantity }) => quantity < ZERO && isContract(secNo)) ||
      (withShorts.has(tail) && [...lines, ...held].some(({ secNo }) => isConvertible(secNo))) ||
      boxedSecurities(lines, held, facts).length > 0
    )
  })
  const moves = await readUnitsMoved(
    tx,
    withOptions.map(({ wanted }) => wanted),
    until,
  )
  for (const { wanted, after } of withOptions) {
    const found = moves.get(wanted.accountNumber)
    if (after !== undefined && found !== undefined)
      moves.set(
        wanted.accountNumber,
        found.filter(({ tradeDate }) => tradeDate > after),
      )
  }
  const moved = [...moves.values()].flat().map(({ secNo }) => secNo)
  const held = withOptions.flatMap((tail) => tail.held.map(({ secNo }) => secNo))
  await facts.learn(tx, [...moved, ...held])
  const days = withOptions.flatMap(({ wanted, lines, held }) => {
    const counting = { lines: withoutCancelled(lines), held }
    return daysOf(counting, moves.get(wanted.accountNumber) ?? []).flatMap((day) => securitiesOn(day, facts))
  })
  await facts.learnDays(tx, days)
  return moves
}

/** Whether the account can have a short position before, between or after the lines. */
function hasShort({ lines, held }: TailOfLines): boolean {
  const opensShort = ({ acctType, transType, closed, quantity }: MarginLine) =>
    acctType === 3 ||
    transType === 'Exercise' ||
    transType === 'Assignment' ||
    (quantity < ZERO && closed !== undefined && closed < -quantity)
  return held.some(({ quantity }) => quantity < ZERO) || lines.some(opensShort)
}

/**
 * The events of written options and of stock sold short beside convertibles, one for each day on which lines traded
 * securities. `lines` have the quantities that they closed. Securities that corporate actions,
 * transfers and journals move cause no event: they count before the trades of their day, and cover options that are
 * written on it. `held` are the positions after the lines. Options and underlyings that were traded on a day have the
 * price of their trade, which is their market value on that day (12 CFR 220.2). Others have the price of the close
 * before the day, so that no later movement of the market makes a call.
 */
export function eventsOfWritten(
  tail: Pick<TailOfLines, 'lines' | 'held'>,
  moves: readonly UnitsMoved[],
  facts: MarketFacts,
): MarginEvent[] {
  const events: MarginEvent[] = []
  for (const day of daysOf(tail, moves)) {
    const { date } = day
    const prices = pricesOf(day, facts)
    const ofPositions = new Map([...prices, ...averagesOfShorts(day, facts)])
    const valued = (quantities: Quantities) => positionsOf(quantities, { prices, ofPositions }, facts)
    const changeWith = (more: Quantities) =>
      changeOfWritten(valued(added(day.before, more)), valued(added(day.after, more)))
    const alone = changeWith(nothing)
    const change = day.left.size === 0 ? alone : max(alone, changeWith(day.left))
    if (change > ZERO) events.push({ kind: 'Writing', date, amount: change })
    else if (change < ZERO) events.push({ kind: 'Release', date, amount: -change })
  }
  return events.toReversed()
}

/** The quantities of securities. */
type Quantities = ReadonlyMap<string, Decimal>

/** A day on which lines moved securities. */
interface DayOfMoves {
  readonly date: string
  readonly lines: readonly MarginLine[]
  /** The positions before the trades of the day, and after all other lines of the day. */
  readonly before: Quantities
  /** The positions after the trades of the day. */
  readonly after: Quantities
  /** Units that left without a trade. They may have covered written options, if the trades came first. */
  readonly left: Quantities
}

const nothing: Quantities = new Map()

function added(quantities: Quantities, more: Quantities): Quantities {
  if (more.size === 0) return quantities
  const sums = new Map(quantities)
  for (const [secNo, units] of more) sums.set(secNo, (sums.get(secNo) ?? ZERO) + units)
  return sums
}

/** The days of moves, the last one first. */
function daysOf(
  { lines, held }: Pick<TailOfLines, 'lines' | 'held'>,
  moves: readonly UnitsMoved[],
): DayOfMoves[] {
  const quantities = new Map<string, Decimal>()
  const add = (secNo: string, units: Decimal) =>
    quantities.set(secNo, (quantities.get(secNo) ?? ZERO) + units)
  for (const { secNo, quantity } of held) add(secNo, quantity)
  const linesByDate = Map.groupBy(lines, ({ tradeDate }) => tradeDate)
  const byDate = [...Map.groupBy(moves, ({ tradeDate }) => tradeDate)]
  return byDate.toReversed().map(([date, ofDay]) => {
    const after = heldOf(quantities)
    for (const { secNo, units, traded } of ofDay) if (traded) add(secNo, -units)
    const before = heldOf(quantities)
    const left = new Map<string, Decimal>()
    for (const { secNo, units, traded } of ofDay) {
      if (traded) continue
      add(secNo, -units)
      if (units < ZERO) left.set(secNo, -units)
    }
    return { date, lines: linesByDate.get(date) ?? [], before, after, left }
  })
}

function heldOf(quantities: Quantities): Quantities {
  return new Map([...quantities].filter(([, quantity]) => quantity !== ZERO))
}

/**
 * The options of a day and their underlyings, if an option is written before its trades or after them, and the stock
 * that is sold short beside a convertible.
 */
function securitiesOn(day: DayOfMoves, facts: MarketFacts): SecurityOnDay[] {
  const { date, lines, before, after } = day
  const options = [...before, ...after].filter(([secNo]) => isOption(facts.security(secNo).kind))
  const isWritten = options.some(([, quantity]) => quantity < ZERO)
  const concerned = isWritten ? options : []
  const secNos = concerned.flatMap(([secNo]) => [secNo, facts.underlyingOf(secNo) ?? secNo])
  return securitiesOnDay([...secNos, ...shortsOf(day, facts)], { day: date, lines }, facts)
}

/** The stock that is sold short beside a security that converts into it, before the trades of a day or after them. */
function shortsOf({ before, after, left }: DayOfMoves, facts: MarketFacts): string[] {
  const inDay = left.size === 0 ? [before, after] : [before, after, added(before, left), added(after, left)]
  return inDay.flatMap((quantities) => {
    if (!quantities.keys().some((secNo) => facts.security(secNo).converts !== undefined)) return []
    const positions = [...quantities].map(([secNo, quantity]) => facts.marginPosition(secNo, quantity))
    return soldBesideConvertibles(positions).map(({ secNo }) => secNo)
  })
}

/**
 * What the short sales and covers of a day received and paid for one unit of stock that is sold short beside a
 * convertible, US dollars. Their lines charge and release by these amounts.
 */
function averagesOfShorts(day: DayOfMoves, facts: MarketFacts): Map<string, Decimal> {
  const averages = new Map<string, Decimal>()
  const trades = day.lines.filter(({ transType }) => sales.has(transType))
  for (const secNo of new Set(shortsOf(day, facts))) {
    let amount = ZERO
    let units = ZERO
    for (const part of trades.flatMap((line) => tradesOf(line, facts))) {
      const isOfShort = part.acctType === 3 || part.buySell === 'SSL' || part.buySell === 'BCV'
      if (part.secNo !== secNo || !isOfShort) continue
      amount += abs(amountInUsd(part, part.netAmount, facts))
      units += abs(unitQuantityOf(part.quantity, facts.security(secNo)))
    }
    if (units !== ZERO) averages.set(secNo, divide(amount, units, pricePlaces))
  }
  return averages
}

/**
 * The prices of a day, US dollars a unit: those of the last trades, and of the close before. An option that expires is
 * worth nothing. One that is not traded and is exercised or assigned is worth what it is in the money.
 */
function pricesOf(day: DayOfMoves, facts: MarketFacts): Map<string, Decimal> {
  const prices = new Map<string, Decimal>()
  const concerned = securitiesOn(day, facts)
  for (const one of concerned) {
    const price = facts.priceOnDay(one)
    if (price !== undefined) prices.set(one.secNo, price)
  }
  const options = day.lines.filter(({ secNo }) => secNo !== undefined && isOption(facts.security(secNo).kind))
  const underlyings = new Set(concerned.map(({ secNo }) => facts.underlyingOf(secNo)))
  const traded = new Set<string>()
  for (const line of day.lines) {
    const { secNo, transType, netAmount, currency, quantity } = line
    if (secNo === undefined || transType !== 'Trade') continue
    if (!isOption(facts.security(secNo).kind) && !underlyings.has(secNo)) continue
    const units = unitQuantityOf(quantity, facts.security(secNo))
    const price = tradePrice(line, abs(facts.inUsd(netAmount, currency)), units, facts)
    if (price === undefined) continue
    prices.set(secNo, price)
    traded.add(secNo)
  }
  for (const { secNo, transType } of options) {
    if (secNo === undefined) continue
    if (transType === 'Expiration') prices.set(secNo, ZERO)
    else if ((transType === 'Exercise' || transType === 'Assignment') && !traded.has(secNo))
      prices.set(secNo, intrinsicPrice(secNo, facts, prices.get(facts.underlyingOf(secNo) ?? '')))
  }
  return prices
}

function positionsOf(
  quantities: Quantities,
  { prices, ofPositions }: Readonly<Record<'prices' | 'ofPositions', ReadonlyMap<string, Decimal>>>,
  facts: MarketFacts,
): MarginPosition[] {
  return [...quantities].map(([secNo, quantity]) => {
    const position = positionAtPrice(secNo, quantity, ofPositions.get(secNo), facts)
    const underlyingPrice = prices.get(facts.underlyingOf(secNo) ?? '') ?? position.underlyingPrice
    return { ...position, underlyingPrice }
  })
}
