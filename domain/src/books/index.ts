/** The books of an account: activity gives lots, closings, positions and entries. Pure functions; see `foldAccount`. */
export * from './activity.ts'
export { compareLines, effectiveDate } from './arrange.ts'
export * from './complete-activity.ts'
export { costShareOfValues } from './corporate-actions/spin-off.ts'
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
export { type Entitlement, entitlementsUsed } from './entitlements.ts'
export * from './entry.ts'
export * from './fold.ts'
export {
  type HoldingState,
  type LotInTransit,
  methodOf,
  type PendingLoss,
  type Position,
  positionsOf,
  reportedLots,
  termOfLots,
} from './holding.ts'
export * from './invariants.ts'
export type { Lot } from './lots.ts'
export { postActivity, postSettlement } from './post-activity.ts'
export { cashBeyond, effectsBeyond, holdingBeyond, isInRange } from './range.ts'
export { combineTerms, type SummaryTerm, type Term, termOf } from './term.ts'
export { WASH_WINDOW_DAYS } from './wash-sale.ts'
