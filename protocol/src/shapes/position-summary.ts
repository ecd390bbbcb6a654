/**
 * The position summary record (Specification, Position summary record; docs/books.md). All amounts are exact decimals,
 * written as JSON numbers.
 */
import Type from 'typebox'

const strict = { additionalProperties: false }
function number(description?: string) {
  return Type.Number(description ? { description } : {})
}
function string(description?: string) {
  return Type.String(description ? { description } : {})
}
function bounded(maxLength: number) {
  return Type.String({ maxLength })
}
function dateTime(description?: string) {
  return Type.String({ ...(description ? { description } : {}), examples: ['2026-01-30T00:00:00Z'] })
}

export const summaryItemShape = Type.Object(
  {
    name: string(),
    longMarketValue: number(),
    shortMarketValue: number(),
    totalMarketValue: number(),
    quantity: number(),
  },
  strict,
)

const unrealizedProperties = {
  symbolId: string(),
  description: string(),
  acctType: Type.Integer({ description: '`1` Cash, `2` Margin, `3` Short.' }),
  openDate: dateTime('Open date of the earliest lot.'),
  term: string('`Long`, `Short` or `Mixed`.'),
  longShortInd: string('`LONG` or `SHORT`.'),
  secNo: string(),
  recon: string('Y or N.'),
  quantity: number(),
  unitQuantity: number(),
  displayQuantity: number(),
  cost: number(),
  unitCost: number(),
  summaryLevelUnitCost: number(),
  value: number(),
  noCost: string('`Y` if the cost of every lot is unknown.'),
  noCostLot: string('`Y` if the cost of some lot is unknown.'),
  trueZero: string('`Y` if the cost is known to be zero.'),
  portfolioPercent: number(),
  gainLoss: number(),
  gainLossPercent: number(),
  closePrice: number(),
  currentPrice: number(),
  yield: number(),
  washDisallowedAmt: number(),
  wash: string('Y or N.'),
  totalCost: number(),
  totalValue: number(),
  totalUnrealizedAmount: number(),
  totalUnrealizedPercent: number(),
  glNoWash: number('The gain as if there were no wash-sale adjustment.'),
  unrealizedGainPercentage: number(),
  totalGlNoWash: number(),
  totalGlNoWashPercentage: number(),
  transactionQuantity: number(),
  safekeepFirmQuantity: number(),
  transferType: string('`PartialTransfer` or `FullTransfer`.'),
}

export const unrealizedGainLossShape = Type.Object(unrealizedProperties, strict)

export const portfolioItemShape = Type.Object(
  {
    date: dateTime(),
    acctTypeCode: Type.Integer({ description: '`1`, `2` or `3`.', maximum: 9 }),
    acctType: string('`Cash`, `Margin` or `Short`.'),
    acctNo: bounded(8),
    accountName: string(),
    currencyCode: Type.Integer({ description: 'ISO 4217 numeric code.', maximum: 999 }),
    currency: bounded(5),
    marketValue: number('Amount in the currency of the line.'),
    marketUsdeValue: number('In USD.'),
    quantity: number('Quantity; negative for a short position.'),
    gainLoss: number(),
    fxRate: number('US dollars for one unit of the currency.'),
    price: number(),
    priceType: string('`CurrentSnap`, `DelayedSnap` or `LastClose`; empty without a price.'),
    marketValueFactor: number(),
    marketUsdeValueFactor: number(),
    priceDate: Type.String({ description: 'When the position was last priced; empty without a price.' }),
    symbolId: string(),
    secNo: string(),
    isin: bounded(12),
    sedol: bounded(7),
    cusip: bounded(9),
    symbol: bounded(10),
    description: string(),
    secTypeCode: bounded(1),
    secTypeName: string(),
    industryGroupName: string(),
    industryGroupCode: Type.Integer({ maximum: 999 }),
    isOffShore: Type.Boolean(),
    offshoreShareClass: string(),
    currentFactor: number(),
    unitQuantity: number(),
    newSecCode: bounded(2),
    typeClassCode: bounded(3),
    unrealizedGainLoss: unrealizedGainLossShape,
  },
  strict,
)

/** `data` of position-summary. */
export const positionSummaryShape = Type.Object(
  {
    acctNo: bounded(8),
    date: dateTime(),
    totalShortMarket: number(),
    totalLongMarket: number(),
    totalCash: number(),
    totalMoneyMarket: number(),
    netMarket: number(),
    netCustodied: number(),
    assetsHeldAway: number(),
    totalAccountValue: number(),
    freeCash: number(),
    gainLoss: number(),
    gainLossPercentage: number(),
    fundsAvailable: number(),
    fedCallAmount: number(),
    maintCallAmount: number(),
    marginCashAvailable: number(),
    buyingPower: number(),
    accumFedAmount: number(),
    accruedInterest: number(),
    totalCashUsdOnly: number(),
    industrySummary: Type.Array(summaryItemShape),
    assetSummary: Type.Array(summaryItemShape),
    accountTypeSummary: Type.Array(summaryItemShape),
    currencyTypeSummary: Type.Array(summaryItemShape),
    portfolios: Type.Array(portfolioItemShape),
  },
  strict,
)
