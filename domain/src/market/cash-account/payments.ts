/**
 * Determines how the purchases of a cash account are paid, line by line (12 CFR 220.8). Settled cash pays the oldest
 * purchase first, on its day. A purchase without settled cash must be paid within one payment period. A sale before
 * payment is a violation. Its proceeds are held until the period has ended, so that only other money can pay in time.
 * Paid shares of money-market funds are funds in the account, as in its buying power (12 CFR 220.8(a)(1)(i)).
 */

import {
  DECIMAL_PLACES,
  type Decimal,
  decimal,
  max,
  min,
  multiplyDivide,
  roundTo,
  sum,
  ZERO,
} from '../../decimal.ts'
import { addDays, type CalendarDate, daysBetween } from '../calendar/day.ts'
import { regTPaymentDate } from '../calendar/settlement.ts'
import { isFrozen } from './freeze.ts'
import type { CashLine, CashViolation, ClosedPart, PurchaseLine, SaleLine, UnpaidPurchase } from './line.ts'

/** A sum due that does not exceed it may be disregarded (12 CFR 220.8(b)(4)). */
export const DISREGARDED_MAX = decimal('1000')

const USD_PLACES = 2
/** An amount that rounds to 0.00. Conversions at rates of ten decimal places leave such amounts. */
const HALF_CENT = decimal('0.005')

export interface CashHistory {
  /** Settled cash before the lines. A negative amount is owed. */
  readonly opening: Decimal
  /** Value of money-market funds before the lines, not negative. Without it, there are none. */
  readonly openingFunds?: Decimal
  readonly lines: readonly CashLine[]
  /** Payments until the end of this day count. */
  readonly until: CalendarDate
  /** Violations of purchases before `followedFrom`, or before the lines. */
  readonly violations: readonly CashViolation[]
  /** Sales of earlier purchases are no violations beside the known ones. Without it, all purchases are followed. */
  readonly followedFrom?: CalendarDate
  /** Until when a payment period was extended, by the day on which it ends (12 CFR 220.8(d)). */
  readonly extensions: ReadonlyMap<CalendarDate, CalendarDate>
  /**
   * Whether a person withdrew the privilege of delaying payment on a day (true) or gave it back (false). Otherwise
   * undefined.
   */
  readonly decided: (day: CalendarDate) => boolean | undefined
}

export interface CashPayments {
  /** Oldest first. */
  readonly unpaid: readonly UnpaidPurchase[]
  readonly violations: readonly CashViolation[]
}

interface OpenPurchase extends UnpaidPurchase {
  unpaid: Decimal
  /** Its amount without accrued interest. */
  readonly cost: Decimal
  /** Cost of the part that was sold. */
  sold: Decimal
  /** The proceeds of its own sales, held until the period has ended, and the day on which the last of them settle. */
  held: Decimal
  heldUntil: CalendarDate
  ended: boolean
  readonly ofFund: boolean
  readonly unpaidAtFirst: Decimal
}

/** Purchases that are unpaid at the end of a day, and sales before payment. */
export function foldPayments(history: CashHistory): CashPayments {
  const fold = new PaymentFold(history)
  for (const line of [...history.lines].sort(byDay)) {
    if (dayOf(line) <= history.until) fold.take(line)
  }
  return fold.end()
}

/**
 * Trades count on their trade date and other cash on its settlement date. Within a day, cash that comes in counts
 * first.
 */
function dayOf(line: CashLine): CalendarDate {
  return line.kind === 'Move' && line.settles > line.date ? line.settles : line.date
}

function byDay(a: CashLine, b: CashLine): number {
  return daysBetween(dayOf(b), dayOf(a)) || Number(comesIn(b)) - Number(comesIn(a)) || a.sequence - b.sequence
}

function comesIn(line: CashLine): boolean {
  return line.kind === 'Move' && line.amount > ZERO
}

/** A purchase can have several lots, because a wash sale divides them. Their sale is one sale. */
function partsByPurchase(parts: readonly ClosedPart[]): ClosedPart[] {
  return [...Map.groupBy(parts, ({ purchaseId }) => purchaseId)].map(([purchaseId, ofPurchase]) => ({
    purchaseId,
    cost: sum(ofPurchase.map(({ cost }) => cost)),
    proceeds: sum(ofPurchase.map(({ proceeds }) => proceeds)),
  }))
}

class PaymentFold {
  readonly #history: CashHistory
  #settled = ZERO
  /** Paid shares of money-market funds. */
  #funds = ZERO
  /** Funds that have paid, and whose redemption no line has reported. */
  #redeemed = ZERO
  /** Debts other than purchases, and disregarded amounts. They are paid first. */
  #debt = ZERO
  #pending: { readonly on: CalendarDate; readonly amount: Decimal }[] = []
  #open: OpenPurchase[] = []
  readonly #violations: CashViolation[]

  constructor(history: CashHistory) {
    this.#history = history
    this.#violations = [...history.violations]
    this.#funds = history.openingFunds ?? ZERO
    this.#move(history.opening, history.until)
  }

  take(line: CashLine): void {
    const day = dayOf(line)
    this.#advance(day)
    switch (line.kind) {
      case 'Purchase':
        this.#buy(line)
        break
      case 'Sale':
        this.#sell(line)
        break
      case 'Move':
        this.#move(line.amount, day)
        break
      default:
        line satisfies never
    }
  }

  end(): CashPayments {
    const { until } = this.#history
    this.#advance(until)
    this.#endPeriodsBefore(addDays(until, 1))
    const unpaid = this.#open.map(({ lineId, secNo, date, amount, unpaid: left, period, dueOn }) => ({
      lineId,
      secNo,
      date,
      period,
      dueOn,
      amount: roundTo(amount, USD_PLACES),
      unpaid: roundTo(left, USD_PLACES),
    }))
    return { unpaid, violations: this.#violations }
  }

  /** Advances to the beginning of a day: settles cash and ends periods. */
  #advance(day: CalendarDate): void {
    for (let next = this.#pending[0]; next !== undefined && next.on <= day; next = this.#pending[0]) {
      this.#pending.shift()
      this.#endPeriodsBefore(next.on)
      this.#move(next.amount, next.on)
    }
    this.#endPeriodsBefore(day)
  }

  #expect(on: CalendarDate, amount: Decimal): void {
    if (amount <= ZERO) return
    this.#pending.push({ on, amount })
    this.#pending.sort((a, b) => daysBetween(b.on, a.on))
  }

  /** Takes money from the money-market funds, up to an amount. */
  #redeem(amount: Decimal): Decimal {
    const taken = max(ZERO, min(amount, this.#funds))
    this.#funds -= taken
    this.#redeemed += taken
    return taken
  }

  /** The part of a redemption that has not paid yet. */
  #reportRedemption(amount: Decimal): Decimal {
    const known = min(amount, this.#redeemed)
    this.#redeemed -= known
    this.#funds -= min(amount - known, this.#funds)
    return amount - known
  }

  #move(amount: Decimal, on: CalendarDate): void {
    const cash = this.#settled + amount
    const funds = cash + this.#redeem(-cash)
    // Less than nothing is a debt more.
    const owed = min(this.#debt, funds)
    this.#debt -= owed
    let left = funds - owed
    for (const purchase of [...this.#open]) {
      const paid = min(left, purchase.unpaid)
      left -= paid
      purchase.unpaid -= paid
      if (!purchase.ofFund) purchase.unpaid -= this.#redeem(purchase.unpaid)
      this.#settle(purchase, on)
    }
    this.#settled = left
  }

  #buy({ lineId, secNo, date, amount, interest = ZERO, exempted, ofFund = false }: PurchaseLine): void {
    const paid = min(this.#settled, amount)
    this.#settled -= paid
    if (ofFund) this.#funds += paid
    const unpaid = amount - paid - (ofFund ? ZERO : this.#redeem(amount - paid))
    if (exempted || unpaid < HALF_CENT) {
      this.#debt += unpaid
      return
    }
    const frozen = this.#history.decided(date) ?? isFrozen(this.#violations, date)
    const period = frozen ? date : regTPaymentDate(date)
    const dueOn = this.#history.extensions.get(period) ?? period
    this.#open.push({
      lineId,
      secNo,
      date,
      amount,
      unpaid,
      period,
      dueOn,
      cost: amount - interest,
      sold: ZERO,
      held: ZERO,
      heldUntil: date,
      ended: false,
      ofFund,
      unpaidAtFirst: unpaid,
    })
  }

  #sell({ lineId, date, settles, amount, interest = ZERO, closes, ofFund = false }: SaleLine): void {
    let left = amount
    for (const { purchaseId, cost, proceeds } of partsByPurchase(closes)) {
      const purchase = this.#open.find((one) => one.lineId === purchaseId)
      if (purchase === undefined) continue
      const received =
        amount === interest ? proceeds : multiplyDivide(proceeds, amount, amount - interest, DECIMAL_PLACES)
      left -= this.#sellUnpaid(purchase, { purchaseId, cost, proceeds: received }, lineId, { date, settles })
    }
    if (left < ZERO) this.#move(left, date)
    this.#expect(settles, ofFund ? this.#reportRedemption(max(ZERO, left)) : left)
  }

  /** Records the sale of an unpaid purchase, and returns the proceeds that are held for it. */
  #sellUnpaid(
    purchase: OpenPurchase,
    { cost, proceeds }: ClosedPart,
    saleId: string,
    { date, settles }: Pick<SaleLine, 'date' | 'settles'>,
  ): Decimal {
    purchase.sold += cost
    // The paid part of the amount pays for the same part of the cost.
    if (purchase.sold * purchase.amount <= (purchase.amount - purchase.unpaid) * purchase.cost) return ZERO
    if (purchase.date >= (this.#history.followedFrom ?? purchase.date))
      this.#violations.push({
        kind: this.#isCovered(purchase) ? 'GoodFaith' : 'FreeRiding',
        purchaseId: purchase.lineId,
        saleId,
        purchasedOn: purchase.date,
        soldOn: date,
        paidOn: null,
      })
    purchase.held += proceeds
    if (settles > purchase.heldUntil) purchase.heldUntil = settles
    if (purchase.ended) this.#payByOwnSale(purchase)
    return proceeds
  }

  /**
   * Whether earlier sales pay the purchase within its period. Older purchases are paid first, and their held proceeds
   * are then free.
   */
  #isCovered(purchase: OpenPurchase): boolean {
    let funds = -this.#debt
    for (const { on, amount } of this.#pending) if (on <= purchase.dueOn) funds += amount
    for (const older of this.#open) {
      funds -= older.unpaid
      if (older === purchase) break
      if (funds > -HALF_CENT && older.heldUntil <= purchase.dueOn) funds += older.held
    }
    return funds > -HALF_CENT
  }

  #endPeriodsBefore(day: CalendarDate): void {
    for (const purchase of [...this.#open]) {
      if (purchase.dueOn >= day) continue
      purchase.ended = true
      this.#payByOwnSale(purchase)
    }
  }

  /** After the period has ended, the proceeds of its own sale pay the purchase. */
  #payByOwnSale(purchase: OpenPurchase): void {
    const used = min(purchase.held, purchase.unpaid)
    purchase.held -= used
    purchase.unpaid -= used
    this.#settle(purchase, purchase.dueOn)
  }

  /** Removes a purchase that is paid, or whose unpaid rest may be disregarded. */
  #settle(purchase: OpenPurchase, on: CalendarDate): void {
    if (purchase.ended ? purchase.unpaid > DISREGARDED_MAX : purchase.unpaid >= HALF_CENT) return
    this.#open = this.#open.filter((one) => one !== purchase)
    this.#debt += purchase.unpaid
    if (purchase.ofFund && purchase.sold === ZERO) this.#funds += purchase.unpaidAtFirst
    if (!purchase.ended) this.#notePaid(purchase.lineId, on)
    this.#expect(purchase.heldUntil > on ? purchase.heldUntil : on, purchase.held)
  }

  #notePaid(lineId: string, on: CalendarDate): void {
    this.#violations.forEach((one, index) => {
      if (one.purchaseId !== lineId || one.kind !== 'FreeRiding') return
      this.#violations[index] = { ...one, paidOn: on }
    })
  }
}
