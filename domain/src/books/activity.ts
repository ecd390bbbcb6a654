/**
 * The activity line: one fact about an account, with signs resolved and amounts exact. `completeActivity` makes the
 * lines; the fold relies on them and does not check them again. Books 1.
 */
import type { Decimal } from '../decimal.ts'

/** Account types: 1 Cash, 2 Margin, 3 Short. */
export type AcctType = 1 | 2 | 3

export const ACCT_TYPES: readonly AcctType[] = [1, 2, 3]

/** BUY, SEL sell, SSL sell short, BCV buy to cover. */
export type BuySell = 'BUY' | 'SEL' | 'SSL' | 'BCV'

/** How a sale chooses lots when it names none. Average pools the cost of all lots in the account. Books 3. */
export type LotMethod = 'FIFO' | 'LIFO' | 'HIFO' | 'Average'

/** Kinds that move only cash. */
export type CashTransType =
  | 'Deposit'
  | 'DepositReturn'
  | 'Withdrawal'
  | 'WithdrawalReturn'
  | 'Dividend'
  | 'Interest'
  | 'Fee'
  | 'FeeRefund'
  | 'Tax'
  | 'TaxRefund'
  | 'CapitalGain'

/** Kinds whose amounts depend on the position. Only the fold can compute what they move. */
export type HeldTransType =
  | 'TransferOut'
  | 'Split'
  | 'StockDividend'
  | 'Merger'
  | 'Spinoff'
  | 'ReturnOfCapital'
  | 'Maturity'
  | 'Redemption'
  | 'Exercise'
  | 'Assignment'
  | 'Expiration'
  | 'FactorChange'
  | 'NameChange'

export type TransType = 'Trade' | 'Journal' | 'TransferIn' | 'Reinvest' | CashTransType | HeldTransType

export const HELD_TRANS_TYPES: readonly HeldTransType[] = [
  'TransferOut',
  'Split',
  'StockDividend',
  'Merger',
  'Spinoff',
  'ReturnOfCapital',
  'Maturity',
  'Redemption',
  'Exercise',
  'Assignment',
  'Expiration',
  'FactorChange',
  'NameChange',
]
const heldTransTypes: ReadonlySet<string> = new Set(HELD_TRANS_TYPES)

/**
 * Whether the amounts of a line depend on the position. The entry of such a line is posted from the movements of the
 * fold.
 */
export function dependsOnHolding(transType: TransType): transType is HeldTransType {
  return heldTransTypes.has(transType)
}

/** The facts about a security that the books need. `key` is opaque and unique: the secNo, or any other name. */
export interface Security {
  readonly key: string
  /** ISO 4217 letters. Cost and proceeds are in this currency. */
  readonly currency: string
  /** Digits of the currency's minor unit: 2 for USD, 0 for JPY. */
  readonly moneyPlaces: number
  /** Units of the underlying per contract: 100 for options, else 1. */
  readonly multiplier: Decimal
  /** 100 where the price is a percentage of par, else 1. */
  readonly priceDivisor: Decimal
  /** Current face divided by original face of a mortgage pool, else 1. */
  readonly factor: Decimal
  /** Mutual funds use average cost unless the security names another method. */
  readonly fund: boolean
  readonly lotMethod?: LotMethod | undefined
  readonly option?: OptionTerms | undefined
}

export interface OptionTerms {
  readonly putCall: 'Put' | 'Call'
  readonly strike: Decimal
}

/** Shares received for shares held: `3:2` is { received: 3, held: 2 }. */
export interface Ratio {
  readonly received: Decimal
  readonly held: Decimal
}

/**
 * A completed line. Amounts have the sign of their effect on the customer's account: a purchase has a positive quantity
 * and a negative netAmount. Dates are `yyyy-MM-dd`.
 */
export interface ActivityLine {
  /** The feed's own id, unique per firm. */
  readonly externalId: string
  /** Order of entry in the books. It decides among lines of one date. */
  readonly sequence: number
  readonly acctType: AcctType
  readonly transType: TransType
  readonly buySell: BuySell | undefined
  readonly security: Security | undefined
  /**
   * Signed change of the position. For a HeldTransType it is a magnitude, and zero means the whole position (see each
   * rule).
   */
  readonly quantity: Decimal
  readonly price: Decimal | undefined
  readonly commission: Decimal
  readonly secFee: Decimal
  /** Accrued interest paid or received with the trade. It is part of netAmount, never of cost or proceeds. */
  readonly interest: Decimal
  /**
   * Signed cash, positive into the account. Undefined when it depends on the position, or for a cancel on the line that
   * it cancels.
   */
  readonly netAmount: Decimal | undefined
  readonly currency: string
  readonly tradeDate: string
  readonly settleDate: string
  /** Record date of a return of capital. */
  readonly asOfDate: string | undefined
  /** A specific lot: externalId of the line that opened it. */
  readonly lotId: string | undefined
  /**
   * The order that this line executes. Lines of one order do not replace each other's shares. Default: the externalId.
   */
  readonly order: string
  /** This line cancels the line named by tagNo. */
  readonly cancels: boolean
  /** This line is the corrected form of the line named by tagNo. */
  readonly rebills: boolean
  readonly tagNo: string | undefined
  /** Acquisition date of a lot transferred in. */
  readonly openDate: string | undefined
  /** Cost of a lot transferred in, with the sign of its quantity. Undefined when unknown. */
  readonly cost: Decimal | undefined
  readonly ratio: Ratio | undefined
  /**
   * The quantity of a split, stock dividend or spin-off has the sign of the change that the ratio makes, whatever sign
   * the feed gave it. Lines of earlier releases lack this: their quantity counts with its own sign (decision 183).
   */
  readonly signedByRatio?: true | undefined
  /**
   * The journal of a security pairs with another of its day in either order, and closes a short position with shares
   * held long. Lines of earlier releases lack this: the shares and the short position left the account (decision 185).
   */
  readonly pairs?: true | undefined
  /**
   * Shares of the journal that were held at the time of the short sale that they close are sold at that time for wash
   * sales. Lines of earlier releases lack this: only a new short sale washes the loss (decision 221).
   */
  readonly soldShort?: true | undefined
  /**
   * The short sale counts for the holding period of the shares beside it and for the term of its loss. Lines of earlier
   * releases lack this: the holding period continues, and the loss is Short (decision 319).
   */
  readonly besideShares?: true | undefined
  /** The line takes effect before the other lines of its trade date: an announced action on its ex-date. */
  readonly startOfDay?: true | undefined
  /** The security received in a merger, spin-off or name change, or the underlying of an exercise. */
  readonly toSecurity: Security | undefined
  readonly cashPerShare: Decimal | undefined
  /** Part of the cost that moves to the security received, from 0 to 1. */
  readonly costShare: Decimal | undefined
  /** The shares received in a merger or spin-off cost `price`, their value. Such a merger closes the lots given up. */
  readonly taxable?: true | undefined
  /** The shares received were inherited from an owner who died on `openDate`: they are held long from then on. */
  readonly inherited?: true | undefined
  readonly cashInLieu: Decimal | undefined
  /** USD for one unit of the currency on the trade date. */
  readonly fxRate: Decimal
}

/** Decimal places of a quantity. Books 2. */
export const QUANTITY_PLACES = 8
