/**
 * The position summary record with the names of the specification. Numbers are exact decimals, or integers where the
 * specification says integer; the server writes them as JSON numbers. Money of the account level, of the summaries
 * and of gains is in US dollars.
 */

import type { Decimal } from '../../decimal.ts'

export type AcctTypeCode = 1 | 2 | 3
export type AcctTypeName = 'Cash' | 'Margin' | 'Short'
export type PriceType = 'CurrentSnap' | 'DelayedSnap' | 'LastClose'
export type YesNo = 'Y' | 'N'

/** One group of industrySummary, assetSummary, accountTypeSummary or currencyTypeSummary. US dollars. */
export interface SummaryGroup {
  readonly name: string
  longMarketValue: Decimal
  shortMarketValue: Decimal
  totalMarketValue: Decimal
  quantity: Decimal
}

/**
 * The gain of a position or, in position-detail, of one lot. Amounts are US dollars; cost is at the rate of the trade
 * day.
 */
export interface UnrealizedGainLoss {
  readonly symbolId: string
  readonly description: string
  readonly acctType: AcctTypeCode
  /** Date-time of the lot, or of the earliest lot. */
  readonly openDate: string
  readonly term: 'Long' | 'Short' | 'Mixed'
  readonly longShortInd: 'LONG' | 'SHORT'
  readonly secNo: string
  /** Y: the position has an open break. */
  readonly recon: YesNo
  readonly quantity: Decimal
  /** What the price multiplies: quantity × multiplier ÷ price divisor × factor. */
  readonly unitQuantity: Decimal
  readonly displayQuantity: Decimal
  /** Known cost, negative for a short; lots of unknown cost are left out. */
  readonly cost: Decimal
  /** Known cost for one unit of unitQuantity, never negative. */
  readonly unitCost: Decimal
  /** Unit cost over all account types of the security. */
  summaryLevelUnitCost: Decimal
  readonly value: Decimal
  /** Y: no lot has a known cost. */
  readonly noCost: YesNo
  /** Y: at least one lot has no known cost; it is left out of gains. */
  readonly noCostLot: YesNo
  /** Y: the cost is known and is zero. */
  readonly trueZero: YesNo
  /** Of the absolute market value of all lines, in percent. */
  portfolioPercent: Decimal
  readonly gainLoss: Decimal
  readonly gainLossPercent: Decimal
  readonly closePrice: Decimal
  readonly currentPrice: Decimal
  /** Percent a year: the current yield of a bond, the yield that a money-market fund reported; else 0. */
  readonly yield: Decimal
  readonly washDisallowedAmt: Decimal
  readonly wash: YesNo
  /** Cost, value and gain over all account types of the security. */
  totalCost: Decimal
  totalValue: Decimal
  totalUnrealizedAmount: Decimal
  totalUnrealizedPercent: Decimal
  /** The gain as if no loss had been disallowed. */
  readonly glNoWash: Decimal
  readonly unrealizedGainPercentage: Decimal
  totalGlNoWash: Decimal
  totalGlNoWashPercentage: Decimal
  readonly transactionQuantity: Decimal
  /** The quantity that the firm holds; 0 for a line held away. */
  readonly safekeepFirmQuantity: Decimal
  /** A fraction of a share cannot be transferred. */
  readonly transferType: 'PartialTransfer' | 'FullTransfer'
}

/** One position of `portfolios`: a security in an account type. */
export interface PortfolioPosition {
  readonly date: string
  readonly acctTypeCode: AcctTypeCode
  readonly acctType: AcctTypeName
  readonly acctNo: string
  readonly accountName: string
  readonly currencyCode: number
  readonly currency: string
  readonly marketValue: Decimal
  readonly marketUsdeValue: Decimal
  readonly quantity: Decimal
  readonly gainLoss: Decimal
  readonly fxRate: Decimal
  readonly price: Decimal
  readonly priceType: PriceType | ''
  readonly marketValueFactor: Decimal
  readonly marketUsdeValueFactor: Decimal
  readonly priceDate: string
  readonly symbolId: string
  readonly secNo: string
  readonly isin: string
  readonly sedol: string
  readonly cusip: string
  readonly symbol: string
  readonly description: string
  readonly secTypeCode: string
  readonly secTypeName: string
  readonly industryGroupName: string
  readonly industryGroupCode: number
  readonly isOffShore: boolean
  readonly offshoreShareClass: string
  readonly currentFactor: Decimal
  readonly unitQuantity: Decimal
  readonly newSecCode: string
  readonly typeClassCode: string
  readonly unrealizedGainLoss: UnrealizedGainLoss
}

/** The whole record, `data` of position-summary. */
export interface PositionSummary {
  readonly acctNo: string
  readonly date: string
  readonly totalShortMarket: Decimal
  readonly totalLongMarket: Decimal
  readonly totalCash: Decimal
  readonly totalMoneyMarket: Decimal
  readonly netMarket: Decimal
  readonly netCustodied: Decimal
  readonly assetsHeldAway: Decimal
  readonly totalAccountValue: Decimal
  readonly freeCash: Decimal
  readonly gainLoss: Decimal
  readonly gainLossPercentage: Decimal
  readonly fundsAvailable: Decimal
  readonly fedCallAmount: Decimal
  readonly maintCallAmount: Decimal
  readonly marginCashAvailable: Decimal
  readonly buyingPower: Decimal
  readonly accumFedAmount: Decimal
  readonly accruedInterest: Decimal
  readonly totalCashUsdOnly: Decimal
  readonly industrySummary: readonly SummaryGroup[]
  readonly assetSummary: readonly SummaryGroup[]
  readonly accountTypeSummary: readonly SummaryGroup[]
  readonly currencyTypeSummary: readonly SummaryGroup[]
  readonly portfolios: readonly PortfolioPosition[]
}

export const ACCT_TYPE_NAMES: Readonly<Record<AcctTypeCode, AcctTypeName>> = {
  1: 'Cash',
  2: 'Margin',
  3: 'Short',
}
