/** balance-summary: the balances of the margin account, its withdrawable amounts, requirements and open calls. */
import { type Decimal, max, roundTo, sum, ZERO } from '@clearing/domain/decimal'
import {
  type CallToMeet,
  callToMeet,
  cashCalls,
  EMPTY_LEDGER,
  extended,
  FINRA_RATES,
  goodFaithViolations,
  intradayDueOn,
  marginFigures,
  marginStanding,
  openCalls,
  salesOf,
  summarizeBalances,
} from '@clearing/domain/market'
import type { Data } from '@clearing/protocol'
import { serviceActor } from '../actor.ts'
import { Answered, Rejected } from '../answers.ts'
import { valueView } from '../books/positions/account-positions.ts'
import { noDayTrading, readDayTrading } from '../books/positions/day-trading.ts'
import type { HeldAccount } from '../books/positions/held.ts'
import { renderAmounts } from '../books/positions/render-amounts.ts'
import type { View } from '../books/positions/view.ts'
import type { Tx } from '../database/transaction.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { extensionsOf, readExtensions } from '../store/call-extensions.ts'
import { readCashLedgerUntil } from '../store/cash-ledger.ts'
import { readCalls } from '../store/margin-calls.ts'
import { readPendingFundInterest } from '../store/margin-ledger.ts'
import { readRestriction } from '../store/restrictions.ts'
import type { Handler } from './context.ts'

const moneyPlaces = 2
/** More than can be open: one of each of fifteen business days. */
const intradayCallsMax = 20

type OpenCall = Pick<CallToMeet, 'kind' | 'issuedOn' | 'dueBy' | 'outstanding'>

/** The cash account at the last close of the view. */
async function readCashAccount(
  tx: Tx,
  accountNumber: string,
  view: Pick<View, 'known'> & {
    readonly asOf: string | undefined
    readonly today: string
    readonly at: string
  },
): Promise<{
  readonly calls: readonly OpenCall[]
  readonly answered: {
    readonly unpaid: Decimal
    readonly goodFaithViolations: number
    readonly settledCashOnlyUntil: string | null
  }
}> {
  const kept = await readCashLedgerUntil(tx, accountNumber, view.known?.on ?? view.asOf ?? null)
  const calls = kept === undefined ? [] : cashCalls(kept, kept.closeDate)
  const isWaived = await hasWaiver(tx, accountNumber, kept?.restrictionId ?? null, view.at)
  return {
    calls: calls.map(({ issuedOn, dueOn, outstanding }) => {
      return { kind: 'Cash', issuedOn, dueBy: dueOn, outstanding }
    }),
    answered: {
      unpaid: sum((kept?.unpaid ?? []).map(({ unpaid }) => unpaid)),
      goodFaithViolations: kept === undefined ? 0 : goodFaithViolations(kept.violations, view.today).length,
      settledCashOnlyUntil: kept === undefined || isWaived ? null : kept.frozenUntil,
    },
  }
}

/** The intraday margin deficits of earlier days, and that of the day, which the close issues. */
async function readIntradayCalls(
  tx: Tx,
  { accountNumber, today }: Pick<HeldAccount, 'accountNumber' | 'today'>,
  deficit: Decimal,
  closed: string | undefined,
): Promise<OpenCall[]> {
  const found = await readCalls(tx, {
    accountNumber,
    state: 'Open',
    after: [accountNumber, 'Intraday', '0001-01-01'],
    most: intradayCallsMax,
    closed,
  })
  const earlier = found.filter(({ kind, issuedOn }) => kind === 'Intraday' && issuedOn < today)
  const ofToday = {
    kind: 'Intraday',
    issuedOn: today,
    dueBy: intradayDueOn(today),
    outstanding: deficit,
  } as const
  return deficit > ZERO ? [...earlier, ofToday] : earlier
}

/** Whether a person had ended the restriction that the books placed (12 CFR 220.8(d)(1)(iii)). */
async function hasWaiver(
  tx: Tx,
  accountNumber: string,
  restrictionId: string | null,
  at: string,
): Promise<boolean> {
  if (restrictionId === null) return false
  const own = await readRestriction(tx, accountNumber, restrictionId)
  if (own === undefined || own.ended_at === null || own.ended_by === serviceActor) return false
  return new Date(own.ended_at) <= new Date(at)
}

export const balanceSummary: Handler<'balance-summary'> = async (
  { accountNumber, asOf, knownAt },
  { firm, tx, now, parts },
) => {
  const valued = await valueView(tx, accountNumber, {
    now,
    asOf,
    knownAt,
    concentration: parts.businessDay.concentration,
    markets: parts.markets,
  })
  if (valued === undefined) return accountNotFound(firm)
  if (valued instanceof Rejected) return valued
  const { held, known, summary, margin, interestAccrued, message } = valued
  const figures = margin?.figures ?? marginFigures({ marginCash: ZERO, positions: [] })
  const standing = marginStanding(figures, margin?.standing.ledger ?? EMPTY_LEDGER)
  const closed = margin?.standing.previousClose
  const trading = margin
    ? await readDayTrading(tx, held, {
        previousClose: margin.standing.previousClose,
        held: margin.held,
        known,
        concentration: parts.businessDay.concentration,
      })
    : noDayTrading
  const pending = await readPendingFundInterest(tx, accountNumber, asOf ?? null, known)
  const cash = await readCashAccount(tx, accountNumber, {
    asOf,
    known,
    today: held.today,
    at: known?.startedAt ?? held.at,
  })
  const ledger = margin?.standing.ledger ?? EMPTY_LEDGER
  const open = openCalls(figures, ledger, held.today).map(({ kind, openedOn, dueOn, outstanding }) => {
    return { kind, issuedOn: openedOn, dueBy: dueOn, outstanding }
  })
  const intraday = margin ? await readIntradayCalls(tx, held, trading.intradayDeficit, known?.on ?? asOf) : []
  const balances = summarizeBalances({
    today: held.today,
    figures,
    standing,
    marginAgreed: held.marginAgreed,
    suspended: held.suspended,
    freeCash: summary.freeCash,
    moneyMarket: summary.totalMoneyMarket,
    pendingMoneyMarketInterest: roundTo(pending, moneyPlaces),
    accruedMarginInterest: interestAccrued,
    marginRate: margin ? parts.businessDay.marginRateOn(held.today) : ZERO,
    // Without a close, the day began with the current balances.
    previousClose: closed ?? figures,
    maintenancePercent: held.houseRates.longPercent ?? FINRA_RATES.longPercent,
    cashCall: sum(cash.calls.map(({ outstanding }) => outstanding)),
    ...trading,
    intradayDeficit: intraday.reduce((most, { outstanding }) => max(most, outstanding), ZERO),
  })
  const extensions =
    open.length + cash.calls.length === 0 ? [] : await readExtensions(tx, [accountNumber], known?.on ?? null)
  const sales = salesOf(margin?.positions ?? [], held.houseRates)
  const calls = [...open, ...intraday, ...cash.calls].map((call) => {
    const granted = extensionsOf(extensions, { accountNumber, ...call })
    const meets = callToMeet({ ...call, dueBy: extended(call.dueBy, granted) }, sales, held.today)
    return {
      ...meets,
      extensions: granted.map(({ until, reason, grantedAt }) => ({ until, reason, grantedAt })),
    }
  })
  const answer = { acctNo: accountNumber, date: held.at, ...balances, calls, cashAccount: cash.answered }
  return new Answered(renderAmounts<Data<'balance-summary'>>(answer), message ? { message } : {})
}
