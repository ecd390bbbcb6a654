/** What folding lines brings about besides the lots that remain: closings, washes, movements, lots that left, breaks. */
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

/** A lot, or a part of one, closed. Of a short lot quantity, proceeds (what the cover cost) and cost are negative. */
export interface Closing {
  readonly lineId: string
  /** Number of the closing among those of its line, from 0; with lineId its name. */
  readonly ordinal: number
  readonly kind: ClosingKind
  readonly securityKey: string
  readonly acctType: AcctType
  readonly lotId: string
  readonly openedBy: string
  /** Zero where money came back but no shares went (return of capital beyond the cost, principal of a pool, cash of a merger). */
  readonly quantity: Decimal
  readonly openDate: string
  readonly holdingStart: string
  readonly closeDate: string
  readonly settleDate: string
  /** Commission and fees are out of it. */
  readonly proceeds: Decimal
  /** With the disallowed losses that earlier washes added, washAdded of it. */
  readonly cost: Decimal
  readonly washAdded: Decimal
  /** proceeds - cost, before any disallowance; zero when the cost is unknown. */
  readonly gain: Decimal
  readonly costKnown: boolean
  readonly term: Term
  readonly openFxRate: Decimal
  readonly closeFxRate: Decimal
}

/** A part of a closing's loss that is disallowed because a lot replaced what was sold. */
export interface Wash {
  readonly lossLineId: string
  readonly lossOrdinal: number
  readonly securityKey: string
  /** Lot.id of the part that replaced it. */
  readonly lotId: string
  /** Shares of the replacement, without sign: after a split more, or fewer, than were sold. */
  readonly quantity: Decimal
  readonly disallowed: Decimal
  /** Day that the loss and its replacement had both happened. */
  readonly date: string
}

/** What a line moved, where its own fields don't tell (`dependsOnHolding`). */
export interface Movement {
  readonly lineId: string
  readonly acctType: AcctType
  readonly securityKey: string | undefined
  readonly quantity: Decimal
  readonly currency: string
  readonly cash: Decimal
}

export type BreakKind =
  | 'Oversold'
  | 'UnknownLot'
  | 'NothingHeld'
  | 'RatioDisagrees'
  /** The sign of netAmount is not that of the position: a long one receives, a short one pays. */
  | 'AmountDisagrees'
  | 'UnknownOriginal'
  | 'CancelOfCancel'
  | 'AlreadyCancelled'
  | 'RebillWithoutCancel'
  /** A cancel that came before its original tells another security, quantity or price. */
  | 'CancelDisagrees'
  | BreakBesideFold

/** What the fold does not know, and others raise: it stays until its line is taken back, or the reason is gone. */
const BREAKS_BESIDE_FOLD = [
  /** The account was restricted. */
  'Suspended',
  /** The account has not the margin, or the option level. */
  'NotEntitled',
  /** A bond was traded after its maturity, an option after its expiration. */
  'TradedAfterEnd',
  /** An option is held after its expiration, a bond after its maturity: nobody sent what became of it. */
  'ExpiredHeld',
  'MaturedHeld',
  /** Others got a corporate action that this position did not. */
  'ActionMissed',
  /** A purchase of a cash account was not paid in time. */
  'Liquidate',
] as const
export type BreakBesideFold = (typeof BREAKS_BESIDE_FOLD)[number]

const besideFold: ReadonlySet<string> = new Set(BREAKS_BESIDE_FOLD)
export function isBesideFold(kind: string): kind is BreakBesideFold {
  return besideFold.has(kind)
}

/** Something for operations to look at: a fact that the books took as it is, though it does not fit. */
export interface Break {
  readonly kind: BreakKind
  readonly lineId: string
  readonly securityKey: string | undefined
  readonly acctType: AcctType
  readonly quantity: Decimal
  readonly reason: string
}

/** A lot, or a part of one, that left the account with its cost (transfer out, journal to another account). */
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
