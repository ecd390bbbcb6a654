/**
 * The position summary record (Specification, Position summary record; docs/books.md). All amounts are exact decimals,
 * written as JSON numbers.
 */
import Type from 'typebox'
import { described } from '../field.ts'

const strict = { additionalProperties: false }
function number(description: string) {
  return Type.Number({ description })
}
function string(description: string) {
  return Type.String({ description })
}
function bounded(maxLength: number, description: string) {
  return Type.String({ description, maxLength })
}
function dateTime(description: string) {
  return Type.String({ description, examples: ['2026-01-30T00:00:00Z'] })
}

export const summaryItemShape = Type.Object(
  {
    name: string('Name of the group; `Unclassified` for securities without one.'),
    longMarketValue: number('Market value of the long positions of the group, in US dollars.'),
    shortMarketValue: number(
      'Market value of the short positions of the group, in US dollars; 0 or negative.',
    ),
    totalMarketValue: number('`longMarketValue` + `shortMarketValue`.'),
    quantity: number('Sum of the quantities, whatever their units.'),
  },
  strict,
)

const unrealizedProperties = {
  symbolId: string('Number of the security in the service.'),
  description: string('Description of the security.'),
  acctType: Type.Integer({ description: '`1` Cash, `2` Margin, `3` Short.' }),
  openDate: dateTime('Open date of the earliest lot.'),
  term: string('`Long`, `Short` or `Mixed`.'),
  longShortInd: string('`LONG` or `SHORT`.'),
  secNo: string('Number of the security in the books.'),
  recon: string('`Y` while a difference of the position is being investigated, otherwise `N`.'),
  quantity: number('Quantity of the position; negative for a short position.'),
  unitQuantity: number(
    'Quantity by which the price is multiplied: quantity × multiplier ÷ price divisor × factor.',
  ),
  displayQuantity: number('The same as `quantity`.'),
  cost: number(
    'Known cost in US dollars at the exchange rates of the trade days, including commission and fees; negative for a short position.',
  ),
  unitCost: number('Known cost of one unit, in US dollars; never negative.'),
  summaryLevelUnitCost: number(
    'Known cost of one unit over all account types of the security, in US dollars.',
  ),
  value: number('Market value, in US dollars.'),
  noCost: string('`Y` if the cost of every lot is unknown.'),
  noCostLot: string('`Y` if the cost of some lot is unknown.'),
  trueZero: string('`Y` if the cost is known to be zero.'),
  portfolioPercent: number('Share of the position in the absolute value of all positions, in percent.'),
  gainLoss: number('`value` less `cost`, in US dollars; lots of unknown cost are left out.'),
  gainLossPercent: number('`gainLoss` in percent of the absolute cost.'),
  closePrice: number('Previous closing price; the current price if it is unknown.'),
  currentPrice: number('Price by which the position is valued.'),
  yield: number(
    'Percent per year: the current yield of a bond, or the last reported yield of a money-market fund; otherwise 0.',
  ),
  washDisallowedAmt: number(
    'Losses of wash sales that were added to the cost of these lots, in US dollars (26 USC 1091).',
  ),
  wash: string('`Y` if `washDisallowedAmt` is not 0, otherwise `N`.'),
  totalCost: number('Known cost of the security over all account types, in US dollars.'),
  totalValue: number('Market value of the security over all account types, in US dollars.'),
  totalUnrealizedAmount: number('Unrealized gain of the security over all account types, in US dollars.'),
  totalUnrealizedPercent: number('`totalUnrealizedAmount` in percent of the absolute cost.'),
  glNoWash: number('The gain as if there were no wash-sale adjustment.'),
  unrealizedGainPercentage: number('The same as `gainLossPercent`.'),
  totalGlNoWash: number('`glNoWash` of the security over all account types, in US dollars.'),
  totalGlNoWashPercentage: number(
    '`totalGlNoWash` in percent of the absolute cost without the losses of wash sales.',
  ),
  transactionQuantity: number('The same as `quantity`.'),
  safekeepFirmQuantity: number(
    'Quantity in the custody of the clearing firm: 0 for a position at another custodian.',
  ),
  transferType: string('`PartialTransfer` or `FullTransfer`.'),
}

export const unrealizedGainLossShape = Type.Object(unrealizedProperties, strict)

export const portfolioItemShape = Type.Object(
  {
    date: dateTime('Time for which the figures are computed.'),
    acctTypeCode: Type.Integer({ description: '`1` Cash, `2` Margin, `3` Short.', maximum: 9 }),
    acctType: string('`Cash`, `Margin` or `Short`.'),
    acctNo: bounded(8, 'Number of the account.'),
    accountName: string('Title of the account.'),
    currencyCode: Type.Integer({ description: 'ISO 4217 numeric code of the currency.', maximum: 999 }),
    currency: bounded(5, 'ISO 4217 alphabetic code of the currency of the position.'),
    marketValue: number('Market value, in `currency`.'),
    marketUsdeValue: number('Market value, in US dollars.'),
    quantity: number('Quantity; negative for a short position.'),
    gainLoss: number('Unrealized gain, in US dollars.'),
    fxRate: number('US dollars for one unit of the currency.'),
    price: number(
      'Latest price, in `currency`; 0 without one. A price from before a split or a change of name is converted to the new units.',
    ),
    priceType: string('`CurrentSnap`, `DelayedSnap` or `LastClose`; empty without a price.'),
    marketValueFactor: number('The same as `marketValue`, which already includes the factor.'),
    marketUsdeValueFactor: number('The same as `marketUsdeValue`, which already includes the factor.'),
    priceDate: Type.String({ description: 'When the position was last priced; empty without a price.' }),
    symbolId: string('Number of the security in the service.'),
    secNo: string('Number of the security in the books.'),
    isin: bounded(12, 'ISIN; empty without one.'),
    sedol: bounded(7, 'SEDOL; empty without one.'),
    cusip: bounded(9, 'CUSIP; empty without one.'),
    symbol: bounded(10, 'Ticker symbol; empty without one.'),
    description: string('Description of the security.'),
    secTypeCode: bounded(1, 'Code of the security type.'),
    secTypeName: string('Name of the security type.'),
    industryGroupName: string('Name of the industry group; empty without one.'),
    industryGroupCode: Type.Integer({
      description: 'Number of the industry group; 0 without one.',
      maximum: 999,
    }),
    isOffShore: Type.Boolean({ description: 'Whether the security is marked as offshore.' }),
    offshoreShareClass: string('Share class of an offshore fund; otherwise empty.'),
    currentFactor: number('Current face ÷ original face of a pool; otherwise 1.'),
    unitQuantity: number(
      'Quantity by which the price is multiplied: quantity × multiplier ÷ price divisor × `currentFactor`.',
    ),
    newSecCode: bounded(2, 'Second code of the security type, as loaded.'),
    typeClassCode: bounded(3, 'Class code of the security type, as loaded.'),
    unrealizedGainLoss: described(
      unrealizedGainLossShape,
      'Cost, value and unrealized gain or loss of the position or the lot.',
    ),
  },
  strict,
)

/** `data` of position-summary. */
export const positionSummaryShape = Type.Object(
  {
    acctNo: bounded(8, 'Number of the account.'),
    date: dateTime('Time for which the figures are computed.'),
    totalShortMarket: number(
      'Market value of the short positions, in US dollars; 0 or negative. Includes non-marginable positions and options, without money-market funds.',
    ),
    totalLongMarket: number(
      'Market value of the long positions, in US dollars. Includes non-marginable positions and options, without money-market funds.',
    ),
    totalCash: number('Cash of all currencies in US dollars, by trade date.'),
    totalMoneyMarket: number('Value of money-market funds, in US dollars.'),
    netMarket: number('`totalLongMarket` + `totalShortMarket`.'),
    netCustodied: number('`netMarket` + `totalCash` + `totalMoneyMarket`.'),
    assetsHeldAway: number(
      'Value of positions at other custodians, in US dollars, from reports that operations loaded.',
    ),
    totalAccountValue: number('`netCustodied` + `assetsHeldAway`.'),
    freeCash: number(
      'Settled credit that can be withdrawn today without borrowing, in US dollars. The market value of short positions is held back as far as the proceeds of their sale do not cover it. In the cash account, written puts hold back their exercise price, and spreads of index options their amount at risk. In a margin account it is at most `marginCashAvailable`, and a deficit of the margin account (equity below 0) reduces it. In a cash account, the cash of all account types counts together. 0 while a restriction suspends withdrawals.',
    ),
    gainLoss: number(
      'Unrealized gain of all positions that have a value and a known cost, without positions at other custodians, in US dollars.',
    ),
    gainLossPercentage: number('`gainLoss` in percent of the absolute cost.'),
    fundsAvailable: number(
      'The larger of `freeCash` and `marginCashAvailable`, plus `totalMoneyMarket` less what positions of the cash account hold back beyond its cash. A deficit of the margin account (equity below 0) reduces it. 0 while a restriction suspends withdrawals.',
    ),
    fedCallAmount: number(
      'The open Federal (Regulation T) call of the latest day that has one, in US dollars.',
    ),
    maintCallAmount: number('Maintenance requirement less equity, not below 0, in US dollars.'),
    marginCashAvailable: number(
      'The smallest of the SMA (12 CFR 220.5), the maintenance excess, and the amount that leaves 2,000 of equity (FINRA Rule 4210(b)), not below 0, in US dollars; 0 for a cash account, for an account without margin whatever credit was extended, and while a restriction suspends margin or withdrawals.',
    ),
    buyingPower: number(
      'US dollars for which stock can be bought without a call. Margin account: the smaller of twice the SMA and the maintenance excess ÷ the house rate. Cash account: settled funds of all account types less future payments, plus unsettled sales and `totalMoneyMarket`, less what written options hold back. Account without margin to which credit was extended, or whose margin is suspended: the smaller of both. 0 while a restriction suspends buying.',
    ),
    accumFedAmount: number('All open Federal calls, in US dollars.'),
    accruedInterest: number(
      'Interest on bonds accrued to the settlement date of trades of today, less accrued margin interest, in US dollars.',
    ),
    totalCashUsdOnly: number('The part of `totalCash` that is in US dollars.'),
    industrySummary: Type.Array(summaryItemShape, {
      description: 'One item for each industry group, sorted by name.',
    }),
    assetSummary: Type.Array(summaryItemShape, {
      description: 'One item for each security type, sorted by name.',
    }),
    accountTypeSummary: Type.Array(summaryItemShape, {
      description: 'One item for each account type, sorted by name.',
    }),
    currencyTypeSummary: Type.Array(summaryItemShape, {
      description: 'One item for each currency, sorted by name.',
    }),
    portfolios: Type.Array(portfolioItemShape, {
      description:
        'One item for each security and account type; a position at another custodian is an item of its own.',
    }),
  },
  strict,
)
