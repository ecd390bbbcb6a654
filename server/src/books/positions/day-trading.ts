/**
 * The day trades of a margin account, whether they make the customer a pattern day trader, and the lowest margin level
 * of the day.
 */
import { abs, type Decimal, ZERO } from '@clearing/domain/decimal'
import {
  type DayTrade,
  dayTradesOf,
  dayTradingRule,
  FULL_PERCENT,
  intradayMarginDeficit,
  isPatternDayTrader,
  type LevelChange,
  patternDayTradesFrom,
  percentOfAmount,
} from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import type { Known } from '../../store/books/known.ts'
import { type MarginLine, readMarginLines } from '../../store/margin-ledger.ts'
import { asTrade } from '../margin/as-trade.ts'
import { securitiesOf } from '../margin/margin-events.ts'
import { MarketFacts } from '../margin/market-facts.ts'
import type { HeldAccount } from './held.ts'

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

export async function readDayTrading(
  tx: Tx,
  { accountNumber, at, today, houseRates }: HeldAccount,
  previousClose: { readonly maintenanceExcess: Decimal },
  known: Known | undefined,
): Promise<DayTrading> {
  const wanted = { accountNumber, after: 0, upTo: known?.lines ?? Number.MAX_SAFE_INTEGER }
  const hasPatterns = dayTradingRule(today) === 'FourTimes'
  const days = { from: hasPatterns ? patternDayTradesFrom(today) : today, until: today }
  const read = (await readMarginLines(tx, [wanted], days)).get(accountNumber) ?? []
  const kept = withoutCancelled(read)
  if (kept.length === 0) return noDayTrading
  const facts = new MarketFacts(at, today, known?.on)
  await facts.learn(tx, securitiesOf(kept))
  const lines = kept.filter(({ tradeDate }) => tradeDate === today).map((line) => asTrade(line, facts))
  const changes = lines.map((line): LevelChange => {
    const amount = facts.inUsd(line.netAmount, line.currency)
    const trade = tradeOf(line, facts)
    if (trade === undefined) return { amount }
    const longPercent = facts.hasLoanValue(trade.secNo) ? houseRates.longPercent : FULL_PERCENT
    const percent = trade.side === 'short' ? houseRates.shortPercent : longPercent
    const isLent = trade.side === 'short' || facts.hasLoanValue(trade.secNo)
    const ofDebt = isLent ? facts.debtRequirement(trade.secNo, line.quantity, trade.amount) : undefined
    const level = ofDebt ?? percentOfAmount(trade.amount, percent)
    return { amount: trade.opens ? -level : level }
  })
  const trades = kept.map((line) => tradeOf(line, facts)).filter((trade) => trade !== undefined)
  return {
    dayTradeCost: dayTradesOf(trades.filter(({ date }) => date === today)).cost,
    intradayDeficit: intradayMarginDeficit(previousClose.maintenanceExcess, changes),
    patternDayTrader: hasPatterns && isPatternDayTrader(trades, today),
  }
}

function withoutCancelled(lines: readonly MarginLine[]): MarginLine[] {
  const cancelled = new Set(lines.filter(({ correction }) => correction === 'C').map(({ tagNo }) => tagNo))
  return lines.filter(({ correction, externalId }) => correction !== 'C' && !cancelled.has(externalId))
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
