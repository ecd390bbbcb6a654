/**
 * The input of the payment rules of a cash account: its lines, unpaid purchases, and sales before payment. Amounts are
 * US dollars.
 */

import type { Decimal } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'

interface LineOfCash {
  readonly lineId: string
  /** Orders the lines of a day. */
  readonly sequence: number
  /** The trade date. */
  readonly date: CalendarDate
  /** The day on which the cash arrives or leaves. */
  readonly settles: CalendarDate
}

/** The part of a sale that closes what one purchase opened. */
export interface ClosedPart {
  readonly purchaseId: string
  /** Cost and proceeds of the closed part, without accrued interest. */
  readonly cost: Decimal
  readonly proceeds: Decimal
}

export type CashLine =
  | (LineOfCash & {
      readonly kind: 'Purchase'
      readonly secNo: string
      /** The amount to pay; more than 0. */
      readonly amount: Decimal
      /** The accrued interest in the amount. Without it, there is none. */
      readonly interest?: Decimal
      /** An exempted security has no payment period (12 CFR 220.8(b)(1)(i)(A), (c)(1)). */
      readonly exempted: boolean
      /** True for a money-market fund, whose shares are funds in the account. */
      readonly ofFund?: boolean
    })
  | (LineOfCash & {
      readonly kind: 'Sale'
      /** The proceeds. */
      readonly amount: Decimal
      /** As in a purchase. */
      readonly interest?: Decimal
      readonly closes: readonly ClosedPart[]
      /** As in a purchase. */
      readonly ofFund?: boolean
    })
  | (LineOfCash & {
      /** A deposit, a withdrawal, income or a fee. Cash into the account is positive. */
      readonly kind: 'Move'
      readonly amount: Decimal
    })

export type PurchaseLine = Extract<CashLine, { kind: 'Purchase' }>
export type SaleLine = Extract<CashLine, { kind: 'Sale' }>

/** A purchase that is not paid in full. */
export interface UnpaidPurchase {
  readonly lineId: string
  readonly secNo: string
  readonly date: CalendarDate
  readonly amount: Decimal
  /** The amount that the proceeds of its own sale do not pay. */
  readonly unpaid: Decimal
  /** The end of the payment period, and the end with an extension. */
  readonly period: CalendarDate
  readonly dueOn: CalendarDate
}

/** A sale of securities that were not paid in full. */
export interface CashViolation {
  /**
   * `FreeRiding`: no other money was there to pay the purchase (12 CFR 220.8(c)(1)). `GoodFaith`: the proceeds of
   * earlier sales pay it when they settle, but it was sold before that.
   */
  readonly kind: 'FreeRiding' | 'GoodFaith'
  readonly purchaseId: string
  readonly saleId: string
  readonly purchasedOn: CalendarDate
  readonly soldOn: CalendarDate
  /**
   * For free riding: the day on which the purchase was paid in full within its period (12 CFR 220.8(c)(2)(i)).
   * Otherwise null.
   */
  readonly paidOn: CalendarDate | null
}
