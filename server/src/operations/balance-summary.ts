/** balance-summary: the margin account told as balances, what can be withdrawn, requirements and open calls. */
import { roundTo, ZERO } from '@clearing/domain/decimal'
import {
  EMPTY_LEDGER,
  FINRA_RATES,
  marginFigures,
  marginStanding,
  summarizeBalances,
} from '@clearing/domain/market'
import type { Data } from '@clearing/protocol'
import { Answered, Rejected } from '../answers.ts'
import { valueView } from '../books/positions/account-positions.ts'
import { noDayTrading, readDayTrading } from '../books/positions/day-trading.ts'
import { renderAmounts } from '../books/positions/render-amounts.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { readPendingFundInterest } from '../store/margin-ledger.ts'
import type { Handler } from './context.ts'

const moneyPlaces = 2

export const balanceSummary: Handler<'balance-summary'> = async (
  { accountNumber, asOf, knownAt },
  { tx, now, parts },
) => {
  const valued = await valueView(tx, accountNumber, { now, asOf, knownAt })
  if (valued === undefined) return accountNotFound()
  if (valued instanceof Rejected) return valued
  const { held, known, summary, margin, message } = valued
  const figures = margin?.figures ?? marginFigures({ marginCash: ZERO, positions: [] })
  const standing = marginStanding(figures, margin?.standing.ledger ?? EMPTY_LEDGER)
  // Without a close, the day began as it stands now.
  const previousClose = margin?.standing.previousClose ?? figures
  const trading = margin ? await readDayTrading(tx, held, previousClose, known) : noDayTrading
  const pending = await readPendingFundInterest(tx, accountNumber, asOf ?? null, known)
  const balances = summarizeBalances({
    today: held.today,
    figures,
    standing,
    freeCash: summary.freeCash,
    moneyMarket: summary.totalMoneyMarket,
    pendingMoneyMarketInterest: roundTo(pending, moneyPlaces),
    accruedMarginInterest: margin?.standing.interestAccrued ?? ZERO,
    marginRate: margin ? parts.businessDay.marginRateOn(held.today) : ZERO,
    previousClose,
    maintenancePercent: held.houseRates.longPercent ?? FINRA_RATES.longPercent,
    ...trading,
  })
  const answer = { acctNo: accountNumber, date: held.at, ...balances }
  return new Answered(renderAmounts<Data<'balance-summary'>>(answer), message ? { message } : {})
}
