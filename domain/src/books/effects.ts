/** The effects of folded lines apart from the remaining lots: closings, washes, movements, departed lots, breaks. */
import type { Decimal } from '../decimal.ts'
import type { AcctType, ActivityLine } from './activity.ts'
import type { Lot } from './lots.ts'
import type { Term } from './term.ts'

export type ClosingKind =
  | 'Sale'
  | 'Cover'
  | 'CashInLieu'
  | 'Merger'
  | 'ReturnOfCapital'
  | 'Maturity'
  | 'Redemption'
  | 'Principal'
  | 'Exercise'
  | 'Assignment'
  | 'Expiration'

/**
 * A lot, or a part of one, that was closed. For a short lot, quantity, proceeds (the cost of the cover) and cost are
 * negative.
 */
export interface Closing {
  readonly lineId: string
  /** Number of the closing among those of its line, from 0. Together with lineId it identifies the closing. */
  readonly ordinal: number
  readonly kind: ClosingKind
  readonly securityKey: string
  readonly acctType: AcctType
  readonly lotId: string
  readonly openedBy: string
  /**
   * Zero when money was received without giving up shares: a return of capital beyond cost, principal of a pool, cash
   * of a merger.
   */
  readonly quantity: Decimal
  readonly openDate: string
  readonly holdingStart: string
  readonly closeDate: string
  readonly settleDate: string
  /** Commission and fees are subtracted. */
  readonly proceeds: Decimal
  /** Includes the losses disallowed by earlier washes, which washAdded states. */
  readonly cost: Decimal
  readonly washAdded: Decimal
  /** proceeds - cost, before disallowance. Zero when the cost is unknown. */
  readonly gain: Decimal
  readonly costKnown: boolean
  readonly term: Term
  readonly openFxRate: Decimal
  readonly closeFxRate: Decimal
}

/** A part of a closing's loss that is disallowed because a lot replaced the shares sold. */
export interface Wash {
  readonly lossLineId: string
  readonly lossOrdinal: number
  readonly securityKey: string
  /** Lot.id of the replacement. */
  readonly lotId: string
  /** Shares of the replacement, without sign. After a split the number differs from the number sold. */
  readonly quantity: Decimal
  readonly disallowed: Decimal
  /** The later date of the loss and its replacement. */
  readonly date: string
}

/** What a line moved, for kinds that `dependsOnHolding`. */
export interface Movement {
  readonly lineId: string
  readonly acctType: AcctType
  readonly securityKey: string | undefined
  readonly quantity: Decimal
  readonly currency: string
  readonly cash: Decimal
  /** The position before a split or stock dividend without a ratio. */
  readonly held?: Decimal
}

export type BreakKind =
  | 'Oversold'
  | 'UnknownLot'
  | 'NothingHeld'
  | 'RatioDisagrees'
  /** The sign of netAmount does not match the position: a long position receives it, a short position pays it. */
  | 'AmountDisagrees'
  /** netAmount is not what cashPerShare comes to for the position. */
  | 'CashDisagrees'
  | 'UnknownOriginal'
  | 'CancelOfCancel'
  | 'AlreadyCancelled'
  | 'RebillWithoutCancel'
  /** A cancel that arrived before its original states another security, quantity or price. */
  | 'CancelDisagrees'
  | BreakBesideFold

/** Breaks that other rules raise, not the fold. They remain until the line is cancelled or the cause is gone. */
const BREAKS_BESIDE_FOLD = [
  /** The account was restricted. */
  'Suspended',
  /** The account lacks the margin agreement or the option level. */
  'NotEntitled',
  /** A bond was traded after its maturity, an option after its expiration. */
  'TradedAfterEnd',
  /** An option is held after its expiration, or a bond after its maturity, and no line has closed it. */
  'ExpiredHeld',
  'MaturedHeld',
  /** A pool has a factor that its last factor change has replaced. */
  'FactorDisagrees',
  /** Other positions received a corporate action that this one did not. */
  'ActionMissed',
  /** The feed paid an announced action that the service has booked too, perhaps for the same position. */
  'ActionPaidTwice',
  /** A line of an announced action that was cancelled or amended remains: the books refused its reversal. */
  'NotReversed',
  /** A dividend, interest or distribution of gains of a security that the account has not held. */
  'NeverHeld',
  /** A purchase in a cash account was not paid in time. */
  'Liquidate',
] as const
export type BreakBesideFold = (typeof BREAKS_BESIDE_FOLD)[number]

const besideFold: ReadonlySet<string> = new Set(BREAKS_BESIDE_FOLD)
export function isBesideFold(kind: string): kind is BreakBesideFold {
  return besideFold.has(kind)
}

/** A fact that the books accepted although it does not agree with them. Operations must settle it. */
export interface Break {
  readonly kind: BreakKind
  readonly lineId: string
  readonly securityKey: string | undefined
  readonly acctType: AcctType
  readonly quantity: Decimal
  readonly reason: string
}

/** A lot, or a part of one, that left the account with its cost: a transfer out, or a journal to another account. */
export interface Departure {
  readonly lineId: string
  readonly securityKey: string
  readonly lot: Lot
}

export interface Effects {
  readonly closings: Closing[]
  readonly washes: Wash[]
  readonly movements: Movement[]
  readonly departures: Departure[]
  readonly breaks: Break[]
}

export function noEffects(): Effects {
  return { closings: [], washes: [], movements: [], departures: [], breaks: [] }
}

export function raiseBreak(
  effects: Effects,
  kind: BreakKind,
  line: ActivityLine,
  quantity: Decimal,
  reason: string,
): void {
  const { externalId: lineId, security, acctType } = line
  effects.breaks.push({ kind, lineId, securityKey: security?.key, acctType, quantity, reason })
}
