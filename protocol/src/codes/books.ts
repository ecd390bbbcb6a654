// The coded fields of activity, securities and positions. Values of position records come from the specification;
// values of feeds are defined by the service. Specification, Position summary record; docs/books.md.

import { type CodeRow, firstVersion, listCodes } from './code-list.ts'

export interface AcctTypeRow extends CodeRow<'Cash' | 'Margin' | 'Short'> {
  /** acctTypeCode of a position, and as text the acctType of an activity record. */
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

/** Kinds of price. */
export const priceTypes = listCodes({
  CurrentSnap: 'Current price',
  DelayedSnap: 'Delayed price',
  LastClose: 'Price of the last close',
})

/** Kinds of calls. docs/books.md, Margin and Cash accounts. */
export const callKinds = listCodes({
  Fed: 'Initial margin (Regulation T)',
  Maintenance: 'Maintenance margin',
  Cash: 'Unpaid purchases of the cash account',
  Intraday: 'Intraday margin deficit',
})

/** Sides of a trade. docs/books.md, Facts. */
export const buySells = listCodes({
  BUY: 'Buy',
  SEL: 'Sell',
  SSL: 'Sell short',
  BCV: 'Buy to cover',
})

/**
 * Kinds of activity. trade-activity returns trade lines, non-trade-activity returns the others. docs/books.md, Facts.
 */
export const transTypes = listCodes({
  Trade: 'Trade',
  Deposit: 'Deposit of cash',
  DepositReturn: 'Return of a deposit',
  Withdrawal: 'Withdrawal of cash',
  WithdrawalReturn: 'Return of a withdrawal',
  Journal: 'Journal between accounts or account types',
  Dividend: 'Dividend',
  Interest: 'Interest',
  Fee: 'Fee',
  FeeRefund: 'Refund of a fee',
  Tax: 'Tax withheld',
  TaxRefund: 'Refund of a tax',
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

/** Severities of the items that are open at the close of a business day. docs/books.md, The business day. */
export const severities = listCodes({
  High: 'Customers may be harmed; a second person must accept it',
  Medium: 'Figures of customers may be wrong',
  Low: 'Should be reviewed',
})

/** Items of the checklist of a close. docs/books.md, The business day. */
export const closeItems = listCodes({
  LoadsRunning: 'Loads that are still running',
  LoadsCutOff: 'Loads that were cut off and are not reviewed',
  Rejects: 'Loads with rejected lines that are not reviewed',
  Breaks: 'Breaks that are not settled',
  Locations:
    'Securities whose quantity at the locations differs from the books, and locations without a report for the day',
  StalePrices:
    'Held securities whose latest price is too old, or from before a split, a stock dividend or a change of name',
  NoPrice: 'Held securities without a price; reported, but does not prevent a close',
  Calls: 'Open margin calls; the close issues and ages them',
})

/** The steps of the close of a business day, in their order. docs/books.md, The business day. */
export const closeSteps = listCodes({
  Settle: 'Settle the lines that are due',
  Accrue: 'Accrue interest of margin accounts, money-market funds and bonds',
  Mark: 'Compute the value, the requirement and the SMA of each margin account',
  Calls: 'Issue, age and meet calls',
  Seal: 'Sign the entries and positions of the day',
  Move: 'Open the next business day',
})

/** The dates of an activity line that a range can be compared with. docs/books.md, Facts. */
export const activityDates = listCodes({
  processDate: 'The date on which the line was processed',
  tradeDate: 'The trade date',
  settleDate: 'The settlement date',
  enteredOn: 'The business date on which the line became known to the service',
})

/** tranId of an activity record. docs/books.md. */
export const tranIds = listCodes({ T: 'Trade', C: 'Cancel', R: 'Rebill', N: 'Other' })

/** Holding period of one or several lots. docs/books.md, Lots. */
export const terms = listCodes({
  Long: 'Held more than one year',
  Short: 'Held one year or less',
  Mixed: 'Lots of both',
})

/** Whether a position is long or short; SHORT is observed in the specification. */
export const longShortInds = listCodes({ LONG: 'Long', SHORT: 'Short' })

/** Whether all or part of a lot came by transfer. */
export const transferTypes = listCodes({ PartialTransfer: 'Part of it', FullTransfer: 'All of it' })

/** The order in which a sale relieves lots. docs/books.md, Lots. */
export const lotMethods = listCodes({
  FIFO: 'First in, first out',
  LIFO: 'Last in, first out',
  HIFO: 'Highest unit cost first',
  Average: 'Average cost of the pool',
})

/** Day count conventions of accrued interest. docs/books.md, Dates and fees. */
export const dayCounts = listCodes({
  '30/360': '30/360 US, with the end-of-February rule',
  '30/360 Bond Basis': '30/360 without a rule for the end of February, as for municipal bonds',
  ActAct: 'Actual/actual over the coupon period',
  Act360: 'Actual/360',
  Act365: 'Actual/365',
})

/** Kinds of option. */
export const putCalls = listCodes({ Put: 'Put', Call: 'Call' })

/** What an announced corporate action does for each holder: the kind of the line that it makes. Books 10. */
export const corporateActionTypes = listCodes({
  Dividend: 'Cash dividend',
  CapitalGain: 'Distribution of capital gains',
  Interest: 'Interest',
  ReturnOfCapital: 'Return of capital',
  StockDividend: 'Dividend in shares',
  Split: 'Split or reverse split',
  Spinoff: 'Spin-off',
  Merger: 'Merger, tender or exchange',
  NameChange: 'Change of name or identifier',
  Redemption: 'Redemption',
  Maturity: 'Maturity',
})

/** States of an announced corporate action. */
export const corporateActionStates = listCodes({
  Announced: 'Its lines are not due yet',
  Booked: 'The lines of all holders are booked; late trades still change them',
  Amending: 'It was amended after lines had been booked; these are being reversed',
  Cancelling: 'It was cancelled; its lines are being reversed',
  Cancelled: 'It was cancelled, and none of its lines counts',
})

/** States of a position that an announced corporate action entitles. */
export const actionEntitlementStates = listCodes({
  Expected: 'Nothing is due yet; the quantity follows the position until the ex-date',
  Booked: 'The lines are booked',
  Nothing: 'There was nothing to book: no position, or the option that changes nothing',
  ByFeed: 'The feed reported the action itself; reason names its line',
  Refused: 'The books refused the lines; reason says why',
  Reversed: 'The action was cancelled, or the feed cancelled a line of the position; reason names its cancel',
})
