/** What a margin account traded within the day: the cost of its day trades, and how far its margin level went below zero. */
import { abs, type Decimal, max, min, multiplyDivide, ZERO } from '@clearing/domain/decimal'
import {
  FULL_PERCENT,
  intradayMarginDeficit,
  type LevelChange,
  percentOfAmount,
} from '@clearing/domain/market'
import { MarketFacts } from '../../business-day/market-facts.ts'
import type { Tx } from '../../database/transaction.ts'
import { type MarginLine, readMarginLines } from '../../store/margin-ledger.ts'
import type { HeldAccount } from './held.ts'

export interface DayTrading {
  /** US dollars. */
  readonly dayTradeCost: Decimal
  readonly intradayDeficit: Decimal
}

export async function readDayTrading(
  tx: Tx,
  { accountNumber, at, today, houseRates }: HeldAccount,
  previousClose: { readonly maintenanceExcess: Decimal },
): Promise<DayTrading> {
  const wanted = { accountNumber, after: 0, upTo: Number.MAX_SAFE_INTEGER }
  const read = (await readMarginLines(tx, [wanted], today)).get(accountNumber) ?? []
  const lines = withoutCancelled(read.filter(({ tradeDate }) => tradeDate === today))
  if (lines.length === 0) return { dayTradeCost: ZERO, intradayDeficit: ZERO }
  const facts = new MarketFacts(at, today)
  await facts.learn(
    tx,
    lines.map(({ secNo }) => secNo).filter((secNo) => secNo !== undefined),
  )
  const changes = lines.map((line): LevelChange => {
    const amount = facts.inUsd(line.netAmount, line.currency)
    if (line.transType !== 'Trade' || line.secNo === undefined) return { amount }
    const opens = line.buySell === 'BUY' || line.buySell === 'SSL'
    const isShort = line.buySell === 'SSL' || line.buySell === 'BCV'
    const longPercent = facts.hasLoanValue(line.secNo) ? houseRates.longPercent : FULL_PERCENT
    const level = percentOfAmount(abs(amount), isShort ? houseRates.shortPercent : longPercent)
    return { amount: opens ? -level : level }
  })
  return {
    dayTradeCost: dayTradeCostOf(lines, facts),
    intradayDeficit: intradayMarginDeficit(previousClose.maintenanceExcess, changes),
  }
}

function withoutCancelled(lines: readonly MarginLine[]): MarginLine[] {
  const cancelled = new Set(lines.filter(({ correction }) => correction === 'C').map(({ tagNo }) => tagNo))
  return lines.filter(({ correction, externalId }) => correction !== 'C' && !cancelled.has(externalId))
}

/** Of each security what was both bought and sold within the day, at its average cost. */
function dayTradeCostOf(lines: readonly MarginLine[], facts: MarketFacts): Decimal {
  let cost = ZERO
  const trades = lines.filter(({ transType, secNo }) => transType === 'Trade' && secNo !== undefined)
  for (const ofSecurity of Map.groupBy(trades, ({ secNo }) => secNo).values()) {
    let bought = ZERO
    let paid = ZERO
    let sold = ZERO
    for (const { quantity, netAmount, currency } of ofSecurity) {
      if (quantity < ZERO) sold -= quantity
      else {
        bought += quantity
        paid += abs(facts.inUsd(netAmount, currency))
      }
    }
    const both = min(bought, sold)
    if (both > ZERO) cost += multiplyDivide(paid, both, bought, 2)
  }
  return max(ZERO, cost)
}
