/** How much a break weighs when a business day is to be closed. Books 7. */
import type { CodeOf } from '@clearing/protocol'
import type { BreakKind } from './effects.ts'

export type Severity = CodeOf<'severity'>

const severities: Readonly<Record<BreakKind, Severity>> = {
  // A short that nobody decided on, and what a restriction should have kept from happening.
  AmountDisagrees: 'Medium',
  CancelDisagrees: 'Medium',
  Oversold: 'High',
  Suspended: 'High',
  NotEntitled: 'High',
  Liquidate: 'High',
  UnknownLot: 'Medium',
  NothingHeld: 'Medium',
  RatioDisagrees: 'Medium',
  RebillWithoutCancel: 'Medium',
  TradedAfterEnd: 'Medium',
  ExpiredHeld: 'Medium',
  MaturedHeld: 'Medium',
  ActionMissed: 'Medium',
  // The correction changed nothing.
  UnknownOriginal: 'Low',
  CancelOfCancel: 'Low',
  AlreadyCancelled: 'Low',
}

/** Of a kind as it is kept; one that this release does not know is taken for the worst. */
export function severityOfBreak(kind: string): Severity {
  return (severities as Readonly<Record<string, Severity | undefined>>)[kind] ?? 'High'
}

const order: readonly string[] = ['Low', 'Medium', 'High']
export function isAtLeast(severity: string, least: string): boolean {
  return order.indexOf(severity) >= order.indexOf(least)
}
