/**
 * The extension balance-summary: balances, buying power, withdrawals, requirements and calls of an account. Books 6.
 */

import type { CodeOf } from '@clearing/protocol'
import { type Decimal, max, ZERO } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'
import { dailyDebitInterest } from '../interest/accrued.ts'
import { buyingPowers, type ClassBuyingPower } from './buying-power.ts'
import { dayTradeCall, dayTradingBuyingPower, dayTradingRule } from './day-trading.ts'
import type { MarginFigures } from './figures.ts'
import type { MarginStanding } from './standing.ts'

export interface MarginBalance {
  readonly marginBuyingPower: Decimal
  /** Equity less FINRA's own maintenance. */
  readonly nyseExcess: Decimal
  /** Day-trading buying power at the start of the day. */
  readonly dtbp: Decimal
  /** What the customer owes, not negative. */
  readonly marginDebitBalance: Decimal
  readonly dailyMarginInterest: Decimal
  readonly accruedMarginInterest: Decimal
  /** Percent a year. */
  readonly currentMarginRate: Decimal
  /** Day-trading buying power left now. */
  readonly dayTradeBuyingPower: Decimal
  readonly equity: Decimal
  readonly equityPercentage: Decimal
  /** Equity less the house's maintenance. */
  readonly houseExcess: Decimal
  /** Equity less these is the excess over each: the value of written options, which equity lacks, is left out. */
  readonly houseRequirement: Decimal
  readonly regTRequirement: Decimal
  /** SMA now, from which a purchase is covered before it causes a Federal call. */
  readonly sma: Decimal
}

export interface AvailableWithdrawal {
  readonly freeCash: Decimal
  readonly moneyMarket: Decimal
  readonly marginCashAvailability: Decimal
  readonly pendingMoneyMarketInterest: Decimal
}

export interface MarginRequirement {
  readonly symbol: string
  readonly quantity: Decimal
  readonly description: string
  readonly price: Decimal
  readonly marketValue: Decimal
  readonly housePercent: Decimal
  readonly houseRequirement: Decimal
  readonly regTPercent: Decimal
  readonly regTRequirement: Decimal
}

export interface BalanceSummary {
  readonly marginBalance: MarginBalance
  readonly buyingPowers: readonly ClassBuyingPower[]
  readonly availableWithdrawal: AvailableWithdrawal
  readonly marginRequirements: readonly MarginRequirement[]
  readonly openCall: {
    readonly federalCall: Decimal
    readonly maintenanceCall: Decimal
    readonly dayTradeCall: Decimal
    readonly accumFedAmount: Decimal
    readonly cashCall: Decimal
  }
}

export interface BalanceInput {
  readonly today: CalendarDate
  readonly figures: MarginFigures
  readonly standing: MarginStanding
  /** Whether the customer has agreed to margin. Otherwise no further credit is available. */
  readonly marginAgreed: boolean
  /** What restrictions suspend. */
  readonly suspended: ReadonlySet<CodeOf<'entitlement'>>
  /** As in position-summary. */
  readonly freeCash: Decimal
  readonly moneyMarket: Decimal
  readonly pendingMoneyMarketInterest: Decimal
  readonly accruedMarginInterest: Decimal
  /** Percent a year. */
  readonly marginRate: Decimal
  /** The account at the previous close. */
  readonly previousClose: { readonly maintenanceExcess: Decimal; readonly equity: Decimal }
  /** The house's rate for longs, in percent. */
  readonly maintenancePercent: Decimal
  readonly patternDayTrader: boolean
  /** Cost of today's day trades, not negative. */
  readonly dayTradeCost: Decimal
  /** The unpaid amount of purchases of the cash account whose payment period has ended. */
  readonly cashCall: Decimal
  /** The largest intraday margin deficit that is outstanding, under the rule of 2026. */
  readonly intradayDeficit: Decimal
}

/** The balance summary of a margin account. */
export function summarizeBalances(input: BalanceInput): BalanceSummary {
  const { figures, standing } = input
  const underIntradayRule = dayTradingRule(input.today) === 'IntradayMargin'
  const dayTrading = {
    date: input.today,
    maintenancePercent: input.maintenancePercent,
    patternDayTrader: input.patternDayTrader,
  }
  // A close keeps no cash. What then exceeded the maintenance is the most that could pay for purchases.
  const ownFunds = input.previousClose.maintenanceExcess
  const dtbp = dayTradingBuyingPower({ ...dayTrading, ...input.previousClose, ownFunds })
  const { equity, maintenanceExcess, ownCash } = figures
  const may = (right: CodeOf<'entitlement'>) => !input.suspended.has(right)
  const mayBorrow = input.marginAgreed && may('Margin')
  const toBuy = (credit: Decimal) => (mayBorrow && may('Buying') ? credit : ZERO)
  const toWithdraw = (amount: Decimal) => (may('Withdrawals') ? amount : ZERO)
  return {
    marginBalance: {
      marginBuyingPower: toBuy(standing.buyingPower),
      nyseExcess: figures.finraExcess,
      dtbp: toBuy(dtbp),
      marginDebitBalance: figures.debitBalance,
      dailyMarginInterest: dailyDebitInterest(figures.debitBalance, input.marginRate),
      accruedMarginInterest: input.accruedMarginInterest,
      currentMarginRate: input.marginRate,
      dayTradeBuyingPower: toBuy(
        underIntradayRule
          ? dayTradingBuyingPower({ ...dayTrading, equity, maintenanceExcess, ownFunds: ownCash })
          : max(ZERO, dtbp - input.dayTradeCost),
      ),
      equity,
      equityPercentage: figures.equityPercentage,
      houseExcess: maintenanceExcess,
      houseRequirement: figures.maintenanceRequirement,
      regTRequirement: figures.regTRequirement,
      sma: standing.sma,
    },
    buyingPowers: buyingPowers(standing.sma, figures, input.today).map((one) => {
      const isSuspended = one.securityClass === 'Option' && !may('Options')
      return { ...one, amount: isSuspended ? ZERO : toBuy(one.amount) }
    }),
    availableWithdrawal: {
      freeCash: input.freeCash,
      moneyMarket: toWithdraw(input.moneyMarket),
      marginCashAvailability: mayBorrow ? toWithdraw(standing.marginCashAvailable) : ZERO,
      pendingMoneyMarketInterest: input.pendingMoneyMarketInterest,
    },
    marginRequirements: figures.requirements.map(({ secNo: _, ...requirement }) => requirement),
    openCall: {
      federalCall: standing.fedCallAmount,
      maintenanceCall: standing.maintCallAmount,
      dayTradeCall: underIntradayRule ? input.intradayDeficit : dayTradeCall(dtbp, input.dayTradeCost),
      accumFedAmount: standing.accumFedAmount,
      cashCall: input.cashCall,
    },
  }
}
