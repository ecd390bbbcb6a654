// The coded fields of activity, securities and positions. Values of position records are those of the specification;
// those of feeds are of the books. Specification, Position summary record; Books 1, 3 and 5.

import { type CodeRow, firstVersion, listCodes } from './code-list.ts'

export interface AcctTypeRow extends CodeRow<'Cash' | 'Margin' | 'Short'> {
  /** acctTypeCode of a position; as text it is the acctType of an activity record. */
  readonly code: 1 | 2 | 3
}

/** Account types of positions. */
export const acctTypes: readonly AcctTypeRow[] = [
  { value: 'Cash', label: 'Cash', since: firstVersion, code: 1 },
  { value: 'Margin', label: 'Margin', since: firstVersion, code: 2 },
  { value: 'Short', label: 'Short', since: firstVersion, code: 3 },
]

/** Account types of activity records, one character. */
export const activityAcctTypes = listCodes({ '1': 'Cash', '2': 'Margin', '3': 'Short' })

/** Where a price comes from. */
export const priceTypes = listCodes({
  CurrentSnap: 'Current price',
  DelayedSnap: 'Delayed price',
  LastClose: 'Price of the last close',
})

/** Sides of a trade. Books 1. */
export const buySells = listCodes({
  BUY: 'Buy',
  SEL: 'Sell',
  SSL: 'Sell short',
  BCV: 'Buy to cover',
})

/** Kinds of activity. Trade lines are answered by trade-activity, the others by non-trade-activity. Books 1. */
export const transTypes = listCodes({
  Trade: 'Trade',
  Deposit: 'Deposit of cash',
  DepositReturn: 'Deposit that was returned',
  Withdrawal: 'Withdrawal of cash',
  WithdrawalReturn: 'Withdrawal that was returned',
  Journal: 'Journal between accounts or account types',
  Dividend: 'Dividend',
  Interest: 'Interest',
  Fee: 'Fee',
  FeeRefund: 'Fee that was refunded',
  Tax: 'Tax withheld',
  TaxRefund: 'Tax that was refunded',
  CapitalGain: 'Capital gain distribution',
  TransferIn: 'Transfer of securities in',
  TransferOut: 'Transfer of securities out',
  Split: 'Split',
  StockDividend: 'Stock dividend',
  Merger: 'Merger',
  Spinoff: 'Spin-off',
  ReturnOfCapital: 'Return of capital',
  Reinvest: 'Reinvestment of a distribution',
  Maturity: 'Maturity',
  Redemption: 'Redemption',
  Exercise: 'Exercise of an option',
  Assignment: 'Assignment of an option',
  Expiration: 'Expiration of an option',
  FactorChange: 'Change of the factor of a pool',
  NameChange: 'Change of name or identifier',
})

/** How much a thing that is open at the close of a day weighs. Books 7. */
export const severities = listCodes({
  High: 'Somebody may be harmed by it: a second person accepts it',
  Medium: 'Figures of customers may be wrong',
  Low: 'Somebody should look at it',
})

/** What the checklist of a close looks at. Books 7. */
export const closeItems = listCodes({
  LoadsRunning: 'Loads that have not ended',
  LoadsCutOff: 'Loads that were cut off, and that nobody has looked at',
  Rejects: 'Loads with rejected lines that nobody has looked at',
  Breaks: 'Breaks that nobody has settled',
  StalePrices: 'Securities held whose latest price is older than the setting STALE_PRICE_DAYS allows',
  NoPrice: 'Securities held that have no price; told, and no reason not to close',
  Calls: 'Margin calls that are open; the close issues and ages them',
})

/** The dates of an activity line that a range may compare with. Books 1. */
export const activityDates = listCodes({
  processDate: 'The date under which it was processed',
  tradeDate: 'The date of the trade',
  settleDate: 'The date of its settlement',
  enteredOn: 'The business date on which it became known here',
})

/** tranId of an activity record. Books 5. */
export const tranIds = listCodes({ T: 'Trade', C: 'Cancel', R: 'Rebill', N: 'Other' })

/** Holding period of a lot, or of several. Books 3. */
export const terms = listCodes({
  Long: 'Held more than one year',
  Short: 'Held one year or less',
  Mixed: 'Lots of both',
})

/** Whether a position is long or short; SHORT is observed in the specification. */
export const longShortInds = listCodes({ LONG: 'Long', SHORT: 'Short' })

/** Whether a lot came by transfer, and how much of it. */
export const transferTypes = listCodes({ PartialTransfer: 'Part of it', FullTransfer: 'All of it' })

/** Which lots a sale relieves. Books 3. */
export const lotMethods = listCodes({
  FIFO: 'First in, first out',
  LIFO: 'Last in, first out',
  HIFO: 'Highest unit cost first',
  Average: 'Average cost of the pool',
})

/** Day counts of accrued interest. Books 1. */
export const dayCounts = listCodes({
  '30/360': '30/360 US, with the end-of-February rule',
  ActAct: 'Actual/actual over the coupon period',
  Act360: 'Actual/360',
  Act365: 'Actual/365',
})

/** Kinds of option. */
export const putCalls = listCodes({ Put: 'Put', Call: 'Call' })
