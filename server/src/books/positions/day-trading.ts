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
  type HouseRates,
  intradayMarginDeficit,
  isOption,
  isPatternDayTrader,
  type LevelChange,
  patternDayTradesFrom,
  percentOfAmount,
  tradeMaintenance,
  unitQuantityOf,
} from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import type { Known } from '../../store/books/known.ts'
import { type MarginLine, readMarginLines } from '../../store/margin-lines.ts'
import { tradePrice, tradesOf } from '../margin/as-trade.ts'
import { withoutCancelled } from '../margin/counting-lines.ts'
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

export interface MaintenanceExcess {
  readonly now: Decimal
  /** Undefined for an account that no close has seen: its day began with the present excess less the day's changes. */
  readonly atPreviousClose: Decimal | undefined
}

export async function readDayTrading(
  tx: Tx,
  { accountNumber, at, today, houseRates }: HeldAccount,
  excess: MaintenanceExcess,
  known: Known | undefined,
): Promise<DayTrading> {
  const wanted = { accountNumber, after: 0, upTo: known?.lines ?? Number.MAX_SAFE_INTEGER }
  const hasPatterns = dayTradingRule(today) === 'FourTimes'
  const days = { from: hasPatterns ? patternDayTradesFrom(today) : today, until: today }
  const read = (await readMarginLines(tx, [wanted], days)).get(accountNumber) ?? []
  const kept = withoutCancelled(read).filter(({ correction }) => correction !== 'C')
  if (kept.length === 0) return noDayTrading
  const facts = new MarketFacts(at, today, known?.on)
  await facts.learn(tx, securitiesOf(kept))
  const lines = kept.filter(({ tradeDate }) => tradeDate === today).flatMap((line) => tradesOf(line, facts))
  const changes = lines.map((line): LevelChange => {
    const amount = facts.inUsd(line.netAmount, line.currency)
    const trade = tradeOf(line, facts)
    if (trade === undefined) return { amount }
    const level = maintenanceOf(line, trade, houseRates, facts)
    return { amount: trade.opens ? -level : level }
  })
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

/** What the traded quantity requires by itself. A written option requires a percentage of its premium here. */
function maintenanceOf(
  line: MarginLine,
  { secNo, side, amount }: DayTrade,
  rates: HouseRates,
  facts: MarketFacts,
): Decimal {
  const isShort = side === 'short'
  const marginable = facts.hasLoanValue(secNo)
  const security = facts.security(secNo)
  if (isOption(security.kind)) return percentOfAmount(amount, isShort ? rates.shortPercent : FULL_PERCENT)
  const ofDebt = isShort || marginable ? facts.debtRequirement(secNo, line.quantity, amount) : undefined
  if (ofDebt !== undefined) return ofDebt
  const units = abs(unitQuantityOf(line.quantity, security))
  const unitQuantity = isShort ? -units : units
  const price = tradePrice(line, amount, units, facts) ?? ZERO
  const { equity, leverage } = facts.equityOf(secNo, { unitQuantity, price })
  const kind = isShort ? 'ShortSale' : 'Purchase'
  return tradeMaintenance({ side: kind, amount, unitQuantity, price, marginable, equity, leverage }, rates)
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
