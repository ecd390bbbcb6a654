/**
 * How the lines of a day change the intraday margin level: the equity of the positions that a line concerns less their
 * maintenance, before and after it, and its cash. What is traded has the price of the trade, and all else that of the
 * close before the day. A loss that a trade realizes therefore lowers the level, and the market does not.
 */
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { type HouseRates, type LevelChange, underlyingOf } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import type { HeldPosition } from '../../store/day-accounts.ts'
import type { LinesWanted, MarginLine } from '../../store/margin-lines.ts'
import { readUnitsOfLines } from '../../store/units-moved.ts'
import { securitiesOf } from '../margin/margin-events.ts'
import type { MarketFacts, SecurityOnDay } from '../margin/market-facts.ts'
import { securitiesOnDay } from '../margin/unit-changes.ts'
import { BookOfDay } from './book-of-day.ts'
import { isTraded, type Leg, movedLegs, tradedLegs } from './line-legs.ts'

interface LineWithLegs {
  readonly line: MarginLine
  readonly legs: readonly Leg[]
}

/** The lines of an account on a day, and its positions of account types 2 and 3 after them. */
export interface DayOfLines {
  readonly wanted: LinesWanted
  readonly day: string
  readonly lines: readonly MarginLine[]
  readonly held: readonly HeldPosition[]
}

/** The changes by the lines of a day, in their order. `facts` must have the securities of the lines and positions. */
export async function readLevelChanges(
  tx: Tx,
  account: DayOfLines,
  rates: HouseRates,
  facts: MarketFacts,
): Promise<LevelChange[]> {
  const { wanted, lines, held } = account
  const others = lines.filter((line) => line.secNo !== undefined && !isTraded(line))
  const moved = await readUnitsOfLines(
    tx,
    wanted,
    others.map(({ sequence }) => sequence),
  )
  const ofMoves = [...moved.values()].flat().map(({ secNo }) => secNo)
  await facts.learn(tx, ofMoves)
  const onDay = securitiesOfLevels(account, facts, ofMoves)
  await facts.learnDays(tx, onDay)
  const prices = new Map(onDay.map((one) => [one.secNo, facts.priceOnDay(one)]))
  const priceOf = (secNo: string) => prices.get(secNo)
  const withLegs = lines.map((line) => {
    const legs = isTraded(line) ? tradedLegs(line, priceOf, facts) : movedLegs(line, moved.get(line.sequence))
    return { line, legs }
  })
  return levelChanges(withLegs, new BookOfDay(held, rates, facts, priceOf), facts)
}

/** The securities whose prices before the day the changes depend on. `moved` are further ones that the lines moved. */
export function securitiesOfLevels(
  { day, lines, held }: DayOfLines,
  facts: MarketFacts,
  moved: readonly string[] = [],
): SecurityOnDay[] {
  const groupOf = (secNo: string) => underlyingOf(facts.marginPosition(secNo, ZERO))
  const ofLines = [...securitiesOf(lines), ...moved]
  const own = new Set([...ofLines, ...held.map(({ secNo }) => secNo)])
  for (const secNo of [...own]) own.add(facts.underlyingOf(secNo) ?? secNo)
  const concerned = new Set(ofLines.map(groupOf))
  const secNos = [...own].filter((secNo) => concerned.has(groupOf(secNo)))
  return securitiesOnDay(secNos, { day, lines }, facts)
}

/**
 * A purchase, a sale, the outcome of an option, or a withdrawal of cash or securities (FINRA Rule 4210(a)(18)).
 * Journals withdraw if they lower the level.
 */
const transactions = new Set<MarginLine['transType']>([
  'Trade',
  'Reinvest',
  'Exercise',
  'Assignment',
  'Expiration',
  'Withdrawal',
  'TransferOut',
  'Journal',
])

/** Whether a line can create an intraday margin deficit. */
export function canCauseDeficit({ transType }: Pick<MarginLine, 'transType'>): boolean {
  return transactions.has(transType)
}

/** The price falls by what these lines add in units. They change the level by their cash alone. */
const neutral = new Set<MarginLine['transType']>(['Split', 'StockDividend', 'Spinoff', 'NameChange'])

function levelChanges(
  days: readonly LineWithLegs[],
  book: BookOfDay,
  facts: Pick<MarketFacts, 'inUsd'>,
): LevelChange[] {
  for (const { legs } of days.toReversed()) book.takeBack(legs)
  const changes: { amount: Decimal; isTransaction: boolean; together: string | undefined }[] = []
  for (const { line, legs } of days) {
    const moved = book.apply(legs)
    const amount = (neutral.has(line.transType) ? ZERO : moved) + facts.inUsd(line.netAmount, line.currency)
    const together = togetherBy(line)
    const last = changes.at(-1)
    const isTransaction = canCauseDeficit(line)
    if (last !== undefined && together !== undefined && last.together === together) {
      last.amount += amount
      last.isTransaction ||= isTransaction
    } else changes.push({ amount, isTransaction, together })
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
