/** The severity of a break in the checklist of a close. Books 7. */
import type { CodeOf } from '@clearing/protocol'
import type { BreakKind } from './effects.ts'

export type Severity = CodeOf<'severity'>

const severities: Readonly<Record<BreakKind, Severity>> = {
  // An unintended short position, and lines that a restriction should have prevented.
  AmountDisagrees: 'Medium',
  CashDisagrees: 'Medium',
  CancelDisagrees: 'Medium',
  Oversold: 'High',
  Suspended: 'High',
  NotEntitled: 'High',
  Liquidate: 'High',
  // The account is valued with principal that it has been paid.
  FactorDisagrees: 'High',
  UnknownLot: 'Medium',
  NothingHeld: 'Medium',
  RatioDisagrees: 'Medium',
  RebillWithoutCancel: 'Medium',
  TradedAfterEnd: 'Medium',
  ExpiredHeld: 'Medium',
  MaturedHeld: 'Medium',
  ActionMissed: 'Medium',
  ActionPaidTwice: 'Medium',
  NotReversed: 'Medium',
  // The cash is as the feed states it.
  NeverHeld: 'Low',
  // The correction had no effect.
  UnknownOriginal: 'Low',
  CancelOfCancel: 'Low',
  AlreadyCancelled: 'Low',
}

/** The severity of a stored kind. A kind that this release does not know has the highest severity. */
export function severityOfBreak(kind: string): Severity {
  return (severities as Readonly<Record<string, Severity | undefined>>)[kind] ?? 'High'
}

const order: readonly string[] = ['Low', 'Medium', 'High']

/** Whether a severity is `least` or higher, in the order Low, Medium, High. */
export function isAtLeast(severity: string, least: string): boolean {
  return order.indexOf(severity) >= order.indexOf(least)
}
