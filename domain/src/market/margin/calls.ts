/**
 * What meets a call, and until when: the amount to deposit or to sell, extensions of the time, and the day on which the
 * firm liquidates (12 CFR 220.4(c), (d) and 220.8(b)(4), (d); FINRA Rule 4210(f)(6)).
 */

import { type Decimal, decimal } from '../../decimal.ts'
import { addDays, type CalendarDate } from '../calendar/day.ts'
import { addMarketDays, regTPaymentDate } from '../calendar/settlement.ts'
import { type PositionSales, sellToRelease } from './sales.ts'

export type CallKind = 'Fed' | 'Maintenance' | 'Cash' | 'Intraday'

/** A call that is open, with its extensions in it. */
export interface CallToMeet {
  readonly kind: CallKind
  readonly issuedOn: CalendarDate
  readonly dueBy: CalendarDate
  readonly overdue: boolean
  /** The deposit that meets the call. */
  readonly outstanding: Decimal
  /**
   * The least market value of long positions whose sale meets the call; null if a sale of all of them does not. Of a
   * cash account the unpaid securities.
   */
  readonly sellAmount: Decimal | null
  /** The day on which the firm liquidates; null if the rules require no liquidation. */
  readonly sellOutOn: CalendarDate | null
}

/**
 * No action is required for a Regulation T deficiency or a sum due that does not exceed it (12 CFR 220.4(d),
 * 220.8(b)(4)).
 */
const DISREGARDED_MAX = decimal('1000')
/**
 * A maintenance deficiency is met as promptly as possible and within fifteen business days, unless FINRA grants more
 * time (FINRA Rule 4210(f)(6)). An SEC text of 2000 on the margin rules of that time, quoted by investors, has the
 * words and the number of days. FINRA's "Extensions of Time Filing Schedule" names the paragraph, and the rule of 2026
 * on intraday margin (91 FR 20731) leaves it unchanged. The paragraph itself was not seen printed.
 */
export const MAINTENANCE_CALL_DAYS_MAX = 15

/**
 * The amounts that meet an open call. `sales` are those of the margin account. The positions and the call are of the
 * same time.
 */
export function callToMeet(
  call: Pick<CallToMeet, 'kind' | 'issuedOn' | 'dueBy' | 'outstanding'>,
  sales: readonly PositionSales[],
  today: CalendarDate,
): CallToMeet {
  const { kind, dueBy, outstanding } = call
  const isDisregarded = kind === 'Intraday' || (kind !== 'Maintenance' && outstanding <= DISREGARDED_MAX)
  return {
    ...call,
    overdue: today > dueBy,
    sellAmount: sellAmount(kind, outstanding, sales),
    sellOutOn: isDisregarded ? null : addMarketDays(dueBy, 1),
  }
}

function sellAmount(kind: CallKind, outstanding: Decimal, sales: readonly PositionSales[]): Decimal | null {
  switch (kind) {
    case 'Cash':
      return outstanding
    case 'Fed':
      return sellToRelease(outstanding, 'initial', sales)
    case 'Maintenance':
    case 'Intraday':
      return sellToRelease(outstanding, 'house', sales)
    default:
      return kind satisfies never
  }
}

/**
 * The last day to which one extension can move a due date. Regulation T allows limited periods (12 CFR
 * 220.4(c)(3)(ii)), read as one more payment period each; FINRA Rule 4210(f)(6) sets no length, and one more term of
 * fifteen business days is the most here.
 */
export function latestExtension(kind: CallKind, dueBy: CalendarDate): CalendarDate {
  return kind === 'Maintenance' ? addMarketDays(dueBy, MAINTENANCE_CALL_DAYS_MAX) : regTPaymentDate(dueBy)
}

/**
 * The reason why an extension cannot be granted; undefined if it can. An extension must be granted before the due
 * date has passed.
 */
export function refuseExtension(
  { kind, dueBy }: { readonly kind: CallKind; readonly dueBy: CalendarDate },
  until: CalendarDate,
  today: CalendarDate,
): string | undefined {
  if (kind === 'Intraday')
    return 'The rule has no extension for an intraday margin deficit (FINRA Rule 4210(d)(2)).'
  if (today > dueBy)
    return `The call was due by ${dueBy}; an extension is granted before that day has passed.`
  if (until <= dueBy)
    return `The call is due by ${dueBy}; an extension ends later, from ${addDays(dueBy, 1)} on.`
  const latest = latestExtension(kind, dueBy)
  return until > latest
    ? `One extension of a call due by ${dueBy} ends by ${latest} at the latest.`
    : undefined
}

/** The due date with a list of extensions: the latest date applies. */
export function extended(
  dueBy: CalendarDate,
  extensions: readonly { readonly until: CalendarDate }[],
): CalendarDate {
  return extensions.reduce((last, { until }) => (until > last ? until : last), dueBy)
}
