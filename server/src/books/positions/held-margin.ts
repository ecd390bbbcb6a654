/** The margin positions and figures of holdings that were read. */
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import {
  type ConcentrationTier,
  holdingName,
  isRecent,
  type MarginFigures,
  type MarginPosition,
  marginFigures,
  marginPositions,
  toUsd,
  usdRate,
  type ValuedLine,
  valuePositions,
} from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import { endOfEasternDay } from '../../store/books/calendar.ts'
import type { Known } from '../../store/books/known.ts'
import { selectAccount } from '../../store/books/positions.ts'
import type { HeldPosition } from '../../store/day-accounts.ts'
import type { HeldAccount } from './held.ts'
import { readHeldAsOf } from './held-as-of.ts'

export interface HeldMargin {
  readonly figures: MarginFigures
  readonly positions: readonly MarginPosition[]
  /** The quantities of account types 2 and 3. */
  readonly held: readonly HeldPosition[]
}

export function valueLines(held: HeldAccount, withLots: boolean): ValuedLine[] {
  const { market } = held
  return valuePositions({
    acctNo: held.accountNumber,
    accountName: held.accountName,
    now: held.at,
    today: held.today,
    lots: held.lots,
    securities: market.securities,
    prices: market.prices,
    atExpiration: market.atExpiration,
    lastTrades: held.lastTrades,
    fxRates: market.fxRates,
    breaks: held.breaks,
    withLots,
  })
}

/** Null for an account without holdings in account types 2 and 3, and for one that may not borrow. */
export function marginOf(
  held: HeldAccount,
  lines: readonly ValuedLine[],
  concentration: readonly ConcentrationTier[],
): HeldMargin | null {
  const { cash, market, today, houseRates } = held
  const isMargin =
    lines.some(({ position, heldAway }) => !heldAway && position.acctTypeCode !== 1) ||
    cash.some(({ acctTypeCode }) => acctTypeCode !== 1)
  if (!isMargin || !held.mayBorrow) return null
  let marginCash = ZERO
  for (const { acctTypeCode, currency, tradeDate } of cash) {
    if (acctTypeCode !== 1) marginCash += toUsd(tradeDate, usdRate(currency, market.fxRates))
  }
  const recentFunds = recentFundsOf(held)
  const positions = marginPositions(lines, {
    today,
    underlyings: market.underlyings,
    houseLongPercents: market.housePercents,
    recentFunds,
  })
  const figures = marginFigures({ marginCash, positions, rates: { ...houseRates, concentration } })
  const ofMargin = lines
    .filter(({ position, heldAway }) => !heldAway && position.acctTypeCode !== 1)
    .map(({ position: { secNo, acctTypeCode, quantity } }) => {
      const recentQuantity = recentFunds.get(holdingName(acctTypeCode, secNo)) ?? ZERO
      return { secNo, acctType: acctTypeCode, quantity, recentQuantity }
    })
  return { figures, positions, held: ofMargin }
}

/** Quantities of mutual funds in the margin account that were bought within the last 30 days. */
function recentFundsOf({ lots, market, today }: HeldAccount): Map<string, Decimal> {
  const recent = new Map<string, Decimal>()
  for (const { secNo, quantity, openDate, acctTypeCode, heldAway } of lots) {
    if (heldAway || acctTypeCode === 1 || market.securities.get(secNo)?.kind !== 'Fund') continue
    if (!isRecent(openDate, today)) continue
    const name = holdingName(acctTypeCode, secNo)
    recent.set(name, (recent.get(name) ?? ZERO) + quantity)
  }
  return recent
}

/** A past day, and what is known in the view. */
export interface MomentOfMargin {
  readonly day: string
  readonly known: Pick<Known, 'on' | 'lines'> | undefined
  readonly concentration: readonly ConcentrationTier[]
}

/** What an account held at the end of a past day, as `known` has it. Null as above. */
export async function readMarginOn(
  tx: Tx,
  accountNumber: string,
  moment: MomentOfMargin,
): Promise<HeldMargin | null> {
  return (await readHeldOn(tx, accountNumber, moment))?.margin ?? null
}

/** The account and its margin at the end of a past day. Null as above. */
export async function readHeldOn(
  tx: Tx,
  accountNumber: string,
  { day, known, concentration }: MomentOfMargin,
): Promise<{ readonly account: HeldAccount; readonly margin: HeldMargin } | null> {
  const row = await tx.row(selectAccount, [accountNumber, day])
  if (row === undefined) return null
  const account = await readHeldAsOf(tx, accountNumber, {
    account: row,
    day,
    at: endOfEasternDay(day),
    known,
  })
  const margin = marginOf(account, valueLines(account, false), concentration)
  return margin && { account, margin }
}
