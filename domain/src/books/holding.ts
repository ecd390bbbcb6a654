/**
 * A holding: the open lots of one account in one security, over all three account types, and the losses that later
 * purchases can still wash. The books are folded and stored in this unit. Books 3.
 */
import { abs, allocate, type Decimal, sum, ZERO } from '../decimal.ts'
import { ACCT_TYPES, type AcctType, type LotMethod, type Security } from './activity.ts'
import { type Lot, withAmounts } from './lots.ts'

/** A loss, or the rest of one, that shares acquired up to `until` replace. */
export interface PendingLoss {
  readonly lineId: string
  readonly ordinal: number
  readonly order: string
  readonly side: 'long' | 'short'
  /** Shares not yet replaced, without sign. */
  readonly quantity: Decimal
  /** The loss on them, without sign. */
  readonly loss: Decimal
  /** Days for which the lot sold had been held. */
  readonly daysHeld: number
  readonly until: string
}

/**
 * A lot journalled out of an account type that waits for the other side of the journal on the same date. After that
 * date it has left for another account.
 */
export interface LotInTransit {
  readonly lineId: string
  readonly date: string
  readonly lot: Lot
}

export interface Holding {
  security: Security
  /**
   * Open lots of account types 1, 2 and 3, each sorted by acquisition date, then by entry. The lots of one account type
   * are all long or all short.
   */
  readonly lots: readonly [Lot[], Lot[], Lot[]]
  /** Sorted by date of the loss. */
  pendingLosses: PendingLoss[]
  inTransit: LotInTransit[]
  /** Number of parts that wash sales have made, for the names of further parts. */
  parts: number
  /**
   * Date on which pending losses were last restated for a split. Lines of several account types report the same split.
   */
  restatedOn: string
}

/** The holdings of one account during a fold. */
export interface Books {
  /** The account's method, for securities without a method of their own. */
  readonly lotMethod: LotMethod
  /** The holding of a security; a new, empty one if there is none. */
  holdingOf(security: Security): Holding
}

/** A holding for readers. */
export interface HoldingState {
  readonly security: Security
  readonly lots: readonly [readonly Lot[], readonly Lot[], readonly Lot[]]
  readonly pendingLosses: readonly PendingLoss[]
  readonly inTransit: readonly LotInTransit[]
  readonly parts: number
  readonly restatedOn: string
}

export function emptyHolding(security: Security): Holding {
  return { security, lots: [[], [], []], pendingLosses: [], inTransit: [], parts: 0, restatedOn: '' }
}

/** A copy that can be changed. Lots are immutable and shared. */
export function copyHolding(holding: HoldingState): Holding {
  const { security, lots, pendingLosses, inTransit, parts, restatedOn } = holding
  return {
    security,
    lots: [lots[0].slice(), lots[1].slice(), lots[2].slice()],
    pendingLosses: pendingLosses.slice(),
    inTransit: inTransit.slice(),
    parts,
    restatedOn,
  }
}

export function lotsOf(holding: Holding, acctType: AcctType): Lot[] {
  return holding.lots[(acctType - 1) as 0 | 1 | 2]
}

/** The sum of the quantities: negative for short lots. */
export function quantityHeld(lots: readonly Lot[]): Decimal {
  let total = ZERO
  for (const lot of lots) total += lot.quantity
  return total
}

/** The method of the security, else average cost for funds, else the method of the account. */
export function methodOf(security: Security, accountMethod: LotMethod): LotMethod {
  return security.lotMethod ?? (security.fund ? 'Average' : accountMethod)
}

/**
 * Divides the pooled cost of the account's long lots among them by quantity. Lots of unknown cost are not part of the
 * pool. Totals do not change.
 */
export function spreadAverageCost(holding: Holding): void {
  const pooled = holding.lots.flatMap((lots) => lots.filter(isPooled))
  if (pooled.length < 2) return
  const quantities = pooled.map((lot) => lot.quantity)
  const { moneyPlaces } = holding.security
  const costs = allocateSigned(sum(pooled.map((lot) => lot.cost)), quantities, moneyPlaces)
  const washes = allocateSigned(sum(pooled.map((lot) => lot.washAdded)), quantities, moneyPlaces)
  let index = 0
  for (const lots of holding.lots) {
    lots.forEach((lot, place) => {
      if (!isPooled(lot)) return
      lots[place] = withAmounts(lot, lot.quantity, costs[index] ?? ZERO, washes[index] ?? ZERO)
      index += 1
    })
  }
}

/** Average cost covers long lots of known cost only. */
export function isPooled(lot: Lot): boolean {
  return lot.quantity > 0n && lot.costKnown
}

/** Allocates over quantities of one sign. */
export function allocateSigned(amount: Decimal, quantities: readonly Decimal[], places: number): Decimal[] {
  return allocate(amount, quantities.map(abs), places)
}

/** The open lots as reports show them: with average cost if that is the method. */
export function reportedLots(holding: HoldingState, accountMethod: LotMethod): Lot[] {
  const copy = copyHolding(holding)
  if (methodOf(holding.security, accountMethod) === 'Average') spreadAverageCost(copy)
  return copy.lots.flat()
}

/** The position of one account type in a security: the sum of its lots. */
export interface Position {
  readonly securityKey: string
  readonly acctType: AcctType
  readonly quantity: Decimal
  readonly cost: Decimal
  /** Whether all, some or none of the lots have a known cost. */
  readonly costKnown: 'all' | 'some' | 'none'
  /** Acquisition date of the earliest lot. */
  readonly openDate: string
  readonly washAdded: Decimal
}

/** The positions of a holding, by account type. Account types without lots are omitted. */
export function positionsOf(holding: HoldingState, accountMethod: LotMethod): Position[] {
  const reported = reportedLots(holding, accountMethod)
  return ACCT_TYPES.flatMap((acctType) => {
    const lots = reported.filter((lot) => lot.acctType === acctType)
    const first = lots[0]
    if (first === undefined) return []
    const known = lots.filter((lot) => lot.costKnown).length
    return {
      securityKey: holding.security.key,
      acctType,
      quantity: quantityHeld(lots),
      cost: sum(lots.map((lot) => lot.cost)),
      costKnown: known === lots.length ? 'all' : known === 0 ? 'none' : 'some',
      openDate: first.openDate,
      washAdded: sum(lots.map((lot) => lot.washAdded)),
    }
  })
}
