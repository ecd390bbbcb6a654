/** The events of a margin ledger for written options: what their requirement becomes on each day of trades. */
import { abs, type Decimal, ZERO } from '@clearing/domain/decimal'
import {
  changeOfWritten,
  isOption,
  type MarginEvent,
  type MarginPosition,
  unitQuantityOf,
} from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import type { HeldPosition } from '../../store/day-accounts.ts'
import type { LinesWanted, MarginLine } from '../../store/margin-lines.ts'
import { readUnitsMoved, type UnitsMoved } from '../../store/units-moved.ts'
import { boxedSecurities } from './against-the-box.ts'
import { tradePrice } from './as-trade.ts'
import type { MarketFacts } from './market-facts.ts'
import { intrinsicPrice, positionAtPrice } from './position-at-price.ts'

/** The lines of an account since its last ledger, and the positions of types 2 and 3 after them. */
export interface TailOfLines {
  readonly wanted: LinesWanted
  readonly lines: readonly MarginLine[]
  readonly held: readonly HeldPosition[]
  /** Lines that were traded until this day do not count. */
  readonly after?: string | undefined
}

/**
 * What the lines of accounts moved that trade options, hold written ones, or hold a security long and short. The events
 * of other accounts do not depend on it. Afterwards `facts` has the securities that moved.
 */
export async function readOptionMoves(
  tx: Tx,
  tails: readonly TailOfLines[],
  facts: MarketFacts,
  until?: string,
): Promise<Map<string, UnitsMoved[]>> {
  const trading = tails.filter(({ lines }) => lines.length > 0)
  const negative = trading.flatMap(({ held }) => held.filter(({ quantity }) => quantity < ZERO))
  const named = trading.flatMap(({ lines }) => lines.flatMap(({ secNo }) => secNo ?? []))
  await facts.learn(tx, [...named, ...negative.map(({ secNo }) => secNo)])
  const isContract = (secNo: string) => isOption(facts.security(secNo).kind)
  const withOptions = trading.filter(
    ({ lines, held }) =>
      lines.some(({ secNo }) => secNo !== undefined && isContract(secNo)) ||
      held.some(({ secNo, quantity }) => quantity < ZERO && isContract(secNo)) ||
      boxedSecurities(lines, held, facts).length > 0,
  )
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
  return moves
}

/**
 * The events of written options, one for each day on which lines traded securities. What corporate actions, transfers
 * and journals move causes none: it is there before the trades of its day, and covers what they write. `held` are the
 * positions after the lines. Options that were traded on a day have the price of their trade, which is their market
 * value on that day (12 CFR 220.2), and all else has the price of `facts`.
 */
export function eventsOfWritten(
  { lines, held }: Pick<TailOfLines, 'lines' | 'held'>,
  moves: readonly UnitsMoved[],
  facts: MarketFacts,
): MarginEvent[] {
  const quantities = new Map<string, Decimal>()
  const add = (secNo: string, units: Decimal) =>
    quantities.set(secNo, (quantities.get(secNo) ?? ZERO) + units)
  for (const { secNo, quantity } of held) add(secNo, quantity)
  const events: MarginEvent[] = []
  for (const [date, ofDay] of [...Map.groupBy(moves, ({ tradeDate }) => tradeDate)].toReversed()) {
    const prices = pricesOfDay(
      lines.filter(({ tradeDate }) => tradeDate === date),
      facts,
    )
    const after = positionsOf(quantities, prices, facts)
    for (const { secNo, units, traded } of ofDay) if (traded) add(secNo, -units)
    const change = changeOfWritten(positionsOf(quantities, prices, facts), after)
    for (const { secNo, units, traded } of ofDay) if (!traded) add(secNo, -units)
    if (change > ZERO) events.push({ kind: 'Writing', date, amount: change })
    else if (change < ZERO) events.push({ kind: 'Release', date, amount: -change })
  }
  return events.toReversed()
}

/**
 * The prices of the last trades in options, US dollars a unit. An option that expires is worth nothing. One that is not
 * traded and is exercised or assigned is worth what it is in the money.
 */
function pricesOfDay(lines: readonly MarginLine[], facts: MarketFacts): Map<string, Decimal> {
  const prices = new Map<string, Decimal>()
  for (const line of lines) {
    const { secNo, transType, netAmount, currency, quantity } = line
    if (secNo === undefined || !isOption(facts.security(secNo).kind)) continue
    if (transType === 'Expiration') prices.set(secNo, ZERO)
    if (transType === 'Exercise' || transType === 'Assignment')
      prices.set(secNo, prices.get(secNo) ?? intrinsicPrice(secNo, facts))
    if (transType !== 'Trade') continue
    const units = unitQuantityOf(quantity, facts.security(secNo))
    const price = tradePrice(line, abs(facts.inUsd(netAmount, currency)), units, facts)
    if (price !== undefined) prices.set(secNo, price)
  }
  return prices
}

function positionsOf(
  quantities: ReadonlyMap<string, Decimal>,
  prices: ReadonlyMap<string, Decimal>,
  facts: MarketFacts,
): MarginPosition[] {
  return [...quantities]
    .filter(([, quantity]) => quantity !== ZERO)
    .map(([secNo, quantity]) => positionAtPrice(secNo, quantity, prices.get(secNo), facts))
}
