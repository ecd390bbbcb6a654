/**
 * The books of an account: activity becomes lots, closings, positions and entries. Pure functions; start at
 * `foldAccount`.
 */
export * from './activity.ts'
export { contradictsPosition } from './amount-sign.ts'
export * from './announcements/index.ts'
export { compareLines, effectiveDate } from './arrange.ts'
export { isAtLeast, type Severity, severityOfBreak } from './break-severity.ts'
export { type CancelFacts, cancelLine } from './cancel-line.ts'
export * from './complete-activity.ts'
export { type ReportedUnits, unitsReported } from './corporate-actions/unit-change.ts'
export type { CashHeld, PositionHeld } from './cover.ts'
export type {
  Break,
  BreakKind,
  Closing,
  ClosingKind,
  Departure,
  Effects,
  Movement,
  Wash,
} from './effects.ts'
export { isBesideFold } from './effects.ts'
export { debitOf, type Entitlement, entitlementsUsed, type OwnCash, takesCash } from './entitlements.ts'
export * from './entry.ts'
export * from './fold.ts'
export { findHeldBeyond, type HeldBeyond } from './held-beyond.ts'
export {
  allowsSpreads,
  findHeldNotEntitled,
  findOnMargin,
  type HeldNotEntitled,
} from './held-not-entitled.ts'
export {
  emptyHolding,
  type HoldingState,
  type LotInTransit,
  methodOf,
  type PendingLoss,
  type Position,
  reportedLots,
} from './holding.ts'
export { verifyBalances, verifyLots, verifyStockRecord, verifyWashes } from './invariants.ts'
export { type JournalLine, usedByJournals } from './journals-out.ts'
export type { Lot } from './lots.ts'
export { type Entitled, isForMargin, whyNotEntitled } from './not-entitled.ts'
export { movesQuantity, postActivity } from './post-activity.ts'
export { cashBeyond, effectsBeyond, holdingBeyond, isInRange } from './range.ts'
export { type HeldBalance, RunningFold } from './running-fold.ts'
export { sharesBeside } from './short-beside.ts'
export type { Term } from './term.ts'
