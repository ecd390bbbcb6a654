/** What the payment rules of a cash account look at: its lines, purchases that are not paid, and sales before payment. US dollars. */

import type { Decimal } from '../../decimal.ts'
import type { CalendarDate } from '../calendar/day.ts'

interface LineOfCash {
  readonly lineId: string
  /** Orders the lines of a day. */
  readonly sequence: number
  /** The trade date. */
  readonly date: CalendarDate
  /** From then on the cash is there, or gone. */
  readonly settles: CalendarDate
}

/** The part of a sale that closes what one purchase opened. */
export interface ClosedPart {
  readonly purchaseId: string
  /** What the closed part had cost, and what it brought. */
  readonly cost: Decimal
  readonly proceeds: Decimal
}

export type CashLine =
  | (LineOfCash & {
      readonly kind: 'Purchase'
      readonly secNo: string
      /** What is to be paid, more than 0. */
      readonly amount: Decimal
      /** An exempted security has no payment period (12 CFR 220.8(b)(1)(i)(A), (c)(1)). */
      readonly exempted: boolean
    })
  | (LineOfCash & {
      readonly kind: 'Sale'
      /** What it brings. */
      readonly amount: Decimal
      readonly closes: readonly ClosedPart[]
    })
  | (LineOfCash & {
      /** A deposit, a withdrawal, income, a fee: into the account positive. */
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
  /** What is still to be paid by something else than its own sale. */
  readonly unpaid: Decimal
  /** The end of the payment period, and the end with an extension. */
  readonly period: CalendarDate
  readonly dueOn: CalendarDate
}

/** A sale of what had not been paid in full. */
export interface CashViolation {
  /**
   * `FreeRiding`: nothing else was there to pay the purchase (12 CFR 220.8(c)(1)). `GoodFaith`: the proceeds of earlier sales
   * pay it when they settle, and it was sold before.
   */
  readonly kind: 'FreeRiding' | 'GoodFaith'
  readonly purchaseId: string
  readonly saleId: string
  readonly purchasedOn: CalendarDate
  readonly soldOn: CalendarDate
  /** Of free riding: the day on which the purchase was paid in full within its period (12 CFR 220.8(c)(2)(i)); else null. */
  readonly paidOn: CalendarDate | null
}
