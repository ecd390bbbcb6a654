/** The value of an account, now or at the end of a day: positions, balances and margin figures from what the books hold. */
import { ZERO } from '@clearing/domain/decimal'
import {
  type MarginFigures,
  marginFigures,
  marginPositions,
  marginStanding,
  type PositionSummary,
  summarizeAccount,
  toUsd,
  usdRate,
  type ValuedLine,
  valuePositions,
} from '@clearing/domain/market'
import { readMarginLedger, type StandingLedger } from '../../business-day/read-margin-ledger.ts'
import type { Tx } from '../../database/transaction.ts'
import { type HeldAccount, readHeldAsOf, readHeldNow } from './held.ts'

export interface ValuedAccount {
  readonly held: HeldAccount
  readonly lines: readonly ValuedLine[]
  readonly summary: PositionSummary
  /** What was counted as 0; empty when nothing was. */
  readonly message: string
  /** Null for an account without anything in account types 2 and 3. */
  readonly margin: { readonly figures: MarginFigures; readonly standing: StandingLedger } | null
}

export interface ValueSettings {
  readonly now: Date
  /** The end of a day instead of now. */
  readonly asOf: string | undefined
  /** Value each lot too. */
  readonly withLots?: boolean
}

/** Reads and values the account, in the caller's sight; undefined when there is none. */
export async function valueAccount(
  tx: Tx,
  accountNumber: string,
  { now, asOf, withLots = false }: ValueSettings,
): Promise<ValuedAccount | undefined> {
  const held =
    asOf === undefined
      ? await readHeldNow(tx, accountNumber, now)
      : await readHeldAsOf(tx, accountNumber, asOf, now)
  if (held === undefined) return undefined
  const { market, lots, cash, at, today } = held
  const lines = valuePositions({
    acctNo: accountNumber,
    accountName: held.accountName,
    now: at,
    today,
    lots,
    securities: market.securities,
    prices: market.prices,
    fxRates: market.fxRates,
    breaks: held.breaks,
    withLots,
  })
  const margin = await readMargin(tx, held, lines, asOf)
  const { summary, message } = summarizeAccount({
    acctNo: accountNumber,
    now: at,
    lines,
    cash,
    fxRates: market.fxRates,
    margin: margin && marginStanding(margin.figures, margin.standing.ledger),
    marginInterestAccrued: margin?.standing.interestAccrued ?? ZERO,
  })
  return { held, lines, summary, message, margin }
}

async function readMargin(
  tx: Tx,
  held: HeldAccount,
  lines: readonly ValuedLine[],
  asOf: string | undefined,
): Promise<ValuedAccount['margin']> {
  const { accountNumber, cash, market, at, today, houseRates } = held
  const isMargin =
    lines.some(({ position, heldAway }) => !heldAway && position.acctTypeCode !== 1) ||
    cash.some(({ acctTypeCode }) => acctTypeCode !== 1)
  if (!isMargin) return null
  let marginCash = ZERO
  for (const { acctTypeCode, currency, tradeDate } of cash) {
    if (acctTypeCode !== 1) marginCash += toUsd(tradeDate, usdRate(currency, market.fxRates))
  }
  const positions = marginPositions(lines, market.usdPrices, market.housePercents)
  const figures = marginFigures({ marginCash, positions, rates: houseRates })
  const moment = { now: new Date(at), today, figures, asOf: asOf === today ? asOf : undefined }
  return { figures, standing: await readMarginLedger(tx, accountNumber, moment) }
}
