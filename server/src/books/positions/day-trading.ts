/**
 * The day trades of a margin account, whether they make the customer a pattern day trader, and the lowest margin level
 * of the day.
 */
import { abs, type Decimal, ZERO } from '@clearing/domain/decimal'
import {
  type DayTrade,
  dayTradesOf,
  dayTradingRule,
  intradayMarginDeficit,
  isPatternDayTrader,
  patternDayTradesFrom,
} from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import type { Known } from '../../store/books/known.ts'
import type { HeldPosition } from '../../store/day-accounts.ts'
import { type MarginLine, readMarginLines } from '../../store/margin-lines.ts'
import { tradesOf } from '../margin/as-trade.ts'
import { withoutCancelled } from '../margin/counting-lines.ts'
import { securitiesOf } from '../margin/margin-events.ts'
import { MarketFacts } from '../margin/market-facts.ts'
import type { HeldAccount } from './held.ts'
import { levelChanges } from './margin-levels.ts'

export interface DayTrading {
  /** US dollars. */
  readonly dayTradeCost: Decimal
  readonly intradayDeficit: Decimal
  /**
   * True for a pattern day trader under the rule of 2001 to 2026. Always false outside that period, because
   * no rule depends on it.
   */
  readonly patternDayTrader: boolean
}

export const noDayTrading: DayTrading = {
  dayTradeCost: ZERO,
  intradayDeficit: ZERO,
  patternDayTrader: false,
}

export interface MaintenanceExcess {
  readonly now: Decimal
  /** Undefined for an account that no close has seen: its day began with the present excess less the day's changes. */
  readonly atPreviousClose: Decimal | undefined
}

export interface DayOfAccount {
  readonly excess: MaintenanceExcess
  /** The positions of account types 2 and 3. */
  readonly held: readonly HeldPosition[]
  readonly known: Known | undefined
}

export async function readDayTrading(
  tx: Tx,
  { accountNumber, at, today, houseRates }: HeldAccount,
  { excess, held, known }: DayOfAccount,
): Promise<DayTrading> {
  const wanted = { accountNumber, after: 0, upTo: known?.lines ?? Number.MAX_SAFE_INTEGER }
  const hasPatterns = dayTradingRule(today) === 'FourTimes'
  const days = { from: hasPatterns ? patternDayTradesFrom(today) : today, until: today }
  const read = (await readMarginLines(tx, [wanted], days)).get(accountNumber) ?? []
  const kept = withoutCancelled(read).filter(({ correction }) => correction !== 'C')
  if (kept.length === 0) return noDayTrading
  const facts = new MarketFacts(at, today, known?.on)
  await facts.learn(tx, [...securitiesOf(kept), ...held.map(({ secNo }) => secNo)])
  const ofToday = kept.filter(({ tradeDate }) => tradeDate === today)
  const changes = levelChanges(ofToday, held, houseRates, facts)
  const beforeChanges = changes.reduce((level, { amount }) => level - amount, excess.now)
  const trades = kept
    .flatMap((line) => tradesOf(line, facts))
    .map((line) => tradeOf(line, facts))
    .filter((trade) => trade !== undefined)
  return {
    dayTradeCost: dayTradesOf(trades.filter(({ date }) => date === today)).cost,
    intradayDeficit: intradayMarginDeficit(excess.atPreviousClose ?? beforeChanges, changes),
    patternDayTrader: hasPatterns && isPatternDayTrader(trades, today),
  }
}

function tradeOf(line: MarginLine, facts: MarketFacts): DayTrade | undefined {
  const { transType, secNo, acctType, buySell, tradeDate: date } = line
  if (transType !== 'Trade' || secNo === undefined) return undefined
  const isShort = acctType === 3 || buySell === 'SSL' || buySell === 'BCV'
  const sells = buySell === 'SEL' || buySell === 'SSL'
  return {
    date,
    secNo,
    side: isShort ? 'short' : 'long',
    opens: isShort === sells,
    quantity: abs(line.quantity),
    amount: abs(facts.inUsd(line.netAmount, line.currency)),
  }
}
