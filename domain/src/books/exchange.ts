/**
 * The one way in which a position changes for money: lots of the other side are closed, the rest opens a lot. A trade that
 * crosses zero does both. Purchases, sales, short sales, covers, exercises, maturities and cash mergers all come here. Books 3.
 */
import { abs, type Decimal, multiplyDivide, ZERO } from '../decimal.ts'
import type { ActivityLine, LotMethod } from './activity.ts'
import { type Closing, type ClosingKind, type Effects, raiseBreak } from './effects.ts'
import { type Holding, lotsOf, methodOf } from './holding.ts'
import { insertLot, type Lot, sideOf } from './lots.ts'
import { relieveLots } from './relief.ts'
import { termOf } from './term.ts'
import { washByPurchase, washLoss } from './wash-sale.ts'

export interface Exchange {
  readonly kind: ClosingKind
  /** Signed change of the position. */
  readonly change: Decimal
  /** Signed cash for it, accrued interest apart: negative when bought. */
  readonly consideration: Decimal
  /** Losses can be washed, and lots opened can replace others: a sale or purchase, not a corporate action. */
  readonly washes: boolean
  /** Selling more than is held is meant (a short sale). */
  readonly opensShort: boolean
}

/** Changes a position for money, closes and opens lots, washes losses, and raises a break when more is sold than held. */
export function exchange(
  holding: Holding,
  line: ActivityLine,
  { kind, change, consideration, washes, opensShort }: Exchange,
  accountMethod: LotMethod,
  effects: Effects,
): void {
  const lots = lotsOf(holding, line.acctType)
  const first = lots[0]
  let opening = change
  let openingConsideration = consideration
  if (first !== undefined && sideOf(first.quantity) !== sideOf(change)) {
    const method = methodOf(holding.security, accountMethod)
    const taken = relieveLots(holding, line.acctType, abs(change), method, line.lotId)
    noticeUnknownLot(line, taken, effects)
    // Quantities taken have the other sign: what remains of the change opens a lot.
    for (const lot of taken) opening += lot.quantity
    openingConsideration = multiplyDivide(consideration, opening, change, holding.security.moneyPlaces)
    closeLots(
      holding,
      line,
      { kind, taken, consideration: consideration - openingConsideration, washes },
      effects,
    )
  }
  if (opening === ZERO) return
  if (opening < 0n && !opensShort) {
    raiseBreak(
      effects,
      'Oversold',
      line,
      opening,
      'More was sold than was held; the rest opened a short lot.',
    )
  }
  const lot: Lot = {
    id: line.externalId,
    openedBy: line.externalId,
    via: undefined,
    order: line.order,
    acctType: line.acctType,
    quantity: opening,
    cost: -openingConsideration,
    costKnown: true,
    openDate: line.tradeDate,
    holdingStart: line.tradeDate,
    entry: line.sequence,
    canReplace: washes,
    washAdded: ZERO,
    fxRate: line.fxRate,
  }
  insertLot(lots, lot)
  if (washes) washByPurchase(holding, lot, effects)
}

export interface TakenLots {
  readonly kind: ClosingKind
  readonly taken: readonly Lot[]
  /** What came for all of them. */
  readonly consideration: Decimal
  /** Whether a loss may be washed. */
  readonly washes: boolean
}

/** Records the closing of lots that have been taken, sharing the consideration among them by quantity, without dust. */
export function closeLots(
  holding: Holding,
  line: ActivityLine,
  { kind, taken, consideration, washes }: TakenLots,
  effects: Effects,
): void {
  const { moneyPlaces } = holding.security
  let quantityLeft = ZERO
  for (const lot of taken) quantityLeft += lot.quantity
  let proceedsLeft = consideration
  const closings: { closing: Closing; order: string }[] = []
  for (const lot of taken) {
    const proceeds =
      lot.quantity === quantityLeft
        ? proceedsLeft
        : multiplyDivide(proceedsLeft, lot.quantity, quantityLeft, moneyPlaces)
    quantityLeft -= lot.quantity
    proceedsLeft -= proceeds
    const closing = closeLot(
      holding,
      line,
      { kind, lot, quantity: lot.quantity, proceeds, cost: lot.cost, washAdded: lot.washAdded },
      effects,
    )
    if (washes) closings.push({ closing, order: lot.order })
  }
  for (const { closing, order } of closings) washLoss(holding, closing, order, effects)
}

export interface ClosedPart {
  readonly kind: ClosingKind
  readonly lot: Lot
  readonly quantity: Decimal
  readonly proceeds: Decimal
  readonly cost: Decimal
  /** The part of the cost that earlier washes added. */
  readonly washAdded: Decimal
}

/** Of a closing that is of no share and takes no cost. */
export const noCost = { quantity: ZERO, cost: ZERO, washAdded: ZERO } as const

/** Records that `quantity` and `cost` of a lot were closed for `proceeds`. */
export function closeLot(
  holding: Holding,
  line: ActivityLine,
  { kind, lot, quantity, proceeds, cost, washAdded }: ClosedPart,
  effects: Effects,
): Closing {
  const before = effects.closings[effects.closings.length - 1]
  const closing: Closing = {
    lineId: line.externalId,
    ordinal: before !== undefined && before.lineId === line.externalId ? before.ordinal + 1 : 0,
    kind,
    securityKey: holding.security.key,
    acctType: lot.acctType,
    lotId: lot.id,
    openedBy: lot.openedBy,
    quantity,
    openDate: lot.openDate,
    holdingStart: lot.holdingStart,
    closeDate: line.tradeDate,
    settleDate: line.settleDate,
    proceeds,
    cost,
    washAdded,
    gain: lot.costKnown ? proceeds - cost : ZERO,
    costKnown: lot.costKnown,
    term: termOf(sideOf(lot.quantity), lot.holdingStart, line.tradeDate),
    openFxRate: lot.fxRate,
    closeFxRate: line.fxRate,
  }
  effects.closings.push(closing)
  return closing
}

function noticeUnknownLot(line: ActivityLine, taken: readonly Lot[], effects: Effects): void {
  if (line.lotId === undefined) return
  const { lotId } = line
  const others = taken.filter((lot) => lot.openedBy !== lotId && lot.via !== lotId)
  if (others.length === 0) return
  let missing = ZERO
  for (const lot of others) missing += lot.quantity
  const reason = 'The lot named does not hold as much; the rest was taken by the account’s method.'
  raiseBreak(effects, 'UnknownLot', line, missing, reason)
}
