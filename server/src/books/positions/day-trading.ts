/**
 * The day trades of a margin account, whether they make the customer a pattern day trader, and the lowest margin level
 * of the day.
 */
import { abs, type Decimal, ZERO } from '@clearing/domain/decimal'
import {
  addDays,
  type ConcentrationTier,
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
import { readLedgerUntil } from '../../store/margin-ledger.ts'
import { type LinesWanted, type MarginLine, readMarginLines } from '../../store/margin-lines.ts'
import { tradesOf } from '../margin/as-trade.ts'
import { withoutCancelled } from '../margin/counting-lines.ts'
import { securitiesOf } from '../margin/margin-events.ts'
import { MarketFacts } from '../margin/market-facts.ts'
import type { StandingLedger } from '../margin/read-margin-ledger.ts'
import type { HeldAccount } from './held.ts'
import { type MomentOfMargin, readHeldOn, readMarginOn } from './held-margin.ts'
import { readLevelChanges } from './margin-levels.ts'

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

export interface DayOfAccount {
  readonly previousClose: StandingLedger['previousClose']
  /** The positions of account types 2 and 3. */
  readonly held: readonly HeldPosition[]
  readonly known: Pick<Known, 'on' | 'lines'> | undefined
  readonly concentration: readonly ConcentrationTier[]
}

export async function readDayTrading(
  tx: Tx,
  { accountNumber, at, today, houseRates, market }: HeldAccount,
  day: DayOfAccount,
): Promise<DayTrading> {
  const { held, known } = day
  const wanted = { accountNumber, after: 0, upTo: known?.lines ?? Number.MAX_SAFE_INTEGER }
  const rule = dayTradingRule(today)
  const hasPatterns = rule === 'FourTimes'
  const days = { from: hasPatterns ? patternDayTradesFrom(today) : today, until: today }
  const read = (await readMarginLines(tx, [wanted], days)).get(accountNumber) ?? []
  const kept = withoutCancelled(read).filter(({ correction }) => correction !== 'C')
  if (kept.length === 0) return noDayTrading
  const facts = new MarketFacts(at, today, known?.on, market.fxRates)
  await facts.learn(tx, [...securitiesOf(kept), ...held.map(({ secNo }) => secNo)])
  const ofToday = kept.filter(({ tradeDate }) => tradeDate === today)
  const hasLevels = rule === 'IntradayMargin' && ofToday.length > 0
  const changes = hasLevels
    ? await readLevelChanges(tx, { wanted, day: today, lines: ofToday, held }, houseRates, facts)
    : []
  const trades = kept
    .flatMap((line) => tradesOf(line, facts))
    .map((line) => tradeOf(line, facts))
    .filter((trade) => trade !== undefined)
  return {
    dayTradeCost: dayTradesOf(trades.filter(({ date }) => date === today)).cost,
    intradayDeficit: hasLevels
      ? intradayMarginDeficit(await openingLevel(tx, { wanted, today }, day), changes)
      : ZERO,
    patternDayTrader: hasPatterns && isPatternDayTrader(trades, today),
  }
}

/** The intraday margin deficit of a past day, from the lines that are known in the view. */
export async function readDeficitOn(tx: Tx, accountNumber: string, moment: MomentOfMargin): Promise<Decimal> {
  const found = await readHeldOn(tx, accountNumber, moment)
  if (found === null) return ZERO
  const { account, margin } = found
  const before = await readLedgerUntil(tx, accountNumber, addDays(moment.day, -1))
  const { intradayDeficit } = await readDayTrading(tx, account, {
    previousClose: before === undefined ? null : { ...before, date: before.closeDate },
    held: margin.held,
    known: moment.known,
    concentration: moment.concentration,
  })
  return intradayDeficit
}

/**
 * The level at which a day begins: the maintenance excess of the previous close. If lines of earlier days have arrived
 * since then, that of the end of the day before, with these lines. An account without earlier lines begins with 0.
 */
async function openingLevel(
  tx: Tx,
  { wanted, today }: { readonly wanted: LinesWanted; readonly today: string },
  { previousClose, known, concentration }: DayOfAccount,
): Promise<Decimal> {
  const { accountNumber } = wanted
  const until = addDays(today, -1)
  const late = await readMarginLines(tx, [{ ...wanted, after: previousClose?.lineCount ?? 0 }], { until })
  if (!late.has(accountNumber)) return previousClose?.maintenanceExcess ?? ZERO
  const before = await readMarginOn(tx, accountNumber, { day: until, known, concentration })
  return before?.figures.maintenanceExcess ?? ZERO
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
