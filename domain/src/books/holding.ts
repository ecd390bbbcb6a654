/**
 * A holding: the open lots of one account in one security, of all three account types together, with the losses that
 * later purchases may still wash. It is the unit in which the books are folded and kept. Books 3.
 */
import { abs, allocate, type Decimal, sum, ZERO } from '../decimal.ts'
import { ACCT_TYPES, type AcctType, type LotMethod, type Security } from './activity.ts'
import { type Lot, withAmounts } from './lots.ts'

/** A loss, or what is left of one, that shares acquired until `until` would replace. */
export interface PendingLoss {
  readonly lineId: string
  readonly ordinal: number
  readonly order: string
  readonly side: 'long' | 'short'
  /** Unreplaced shares, without sign. */
  readonly quantity: Decimal
  /** The loss on them, without sign. */
  readonly loss: Decimal
  /** Days that the lot sold had been held. */
  readonly daysHeld: number
  readonly until: string
}

/** A lot journalled out of an account type, waiting for the other side of the journal on the same date; after it, gone to another account. */
export interface LotInTransit {
  readonly lineId: string
  readonly date: string
  readonly lot: Lot
}

export interface Holding {
  security: Security
  /** Open lots of account types 1, 2 and 3, each by acquisition date, then entry; of one account type all long or all short. */
  readonly lots: readonly [Lot[], Lot[], Lot[]]
  /** By date of the loss. */
  pendingLosses: PendingLoss[]
  inTransit: LotInTransit[]
  /** Parts made by wash sales so far, for their names. */
  parts: number
  /** Date on which pending losses were last restated for a split: lines of several account types tell of one split. */
  restatedOn: string
}

/** The holdings of one account while lines are folded into them. */
export interface Books {
  /** The account's method, where the security has none of its own. */
  readonly lotMethod: LotMethod
  /** The holding of a security, an empty one when it is new. */
  holdingOf(security: Security): Holding
}

/** A holding as others see it. */
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

/** A copy to work on; lots are values and are shared. */
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

export function quantityHeld(lots: readonly Lot[]): Decimal {
  let total = ZERO
  for (const lot of lots) total += lot.quantity
  return total
}

/** The security's own method, else average cost for funds, else the account's. */
export function methodOf(security: Security, accountMethod: LotMethod): LotMethod {
  return security.lotMethod ?? (security.fund ? 'Average' : accountMethod)
}

/**
 * Spreads the pooled cost of the account's long lots over them by quantity: what average cost means for each lot.
 * Lots of unknown cost stay out of the pool. Totals don't change.
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

export function isPooled(lot: Lot): boolean {
  return lot.quantity > 0n && lot.costKnown
}

/** Allocates over quantities of one sign. */
export function allocateSigned(amount: Decimal, quantities: readonly Decimal[], places: number): Decimal[] {
  return allocate(amount, quantities.map(abs), places)
}

/** The open lots as reports show them: at average cost where that is the method. */
export function reportedLots(holding: HoldingState, accountMethod: LotMethod): Lot[] {
  const copy = copyHolding(holding)
  if (methodOf(holding.security, accountMethod) === 'Average') spreadAverageCost(copy)
  return copy.lots.flat()
}

/** One account type's position in a security: its lots added up. */
export interface Position {
  readonly securityKey: string
  readonly acctType: AcctType
  readonly quantity: Decimal
  readonly cost: Decimal
  /** 'all', 'some' or 'none' of the lots have a known cost. */
  readonly costKnown: 'all' | 'some' | 'none'
  /** Acquisition date of the earliest lot. */
  readonly openDate: string
  readonly washAdded: Decimal
  readonly lotCount: number
}

/** The positions of a holding, by account type; none where nothing is held. */
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
      lotCount: lots.length,
    }
  })
}
