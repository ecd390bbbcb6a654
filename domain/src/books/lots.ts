/**
 * Lots: what was acquired together and is still held, with its cost and holding period. Lots are never changed, only
 * replaced; parts of a lot always add up to it, to the last unit of quantity and of money. Books 3.
 */
import { type Decimal, min, multiplyDivide, ZERO } from '../decimal.ts'
import type { AcctType } from './activity.ts'

export interface Lot {
  /** Unique within the account's holding of the security: `openedBy`, or `openedBy/n` for a part made by a wash sale. */
  readonly id: string
  /** externalId of the line that opened the lot: what a sale's lotId names. Carried through actions and parts. */
  readonly openedBy: string
  /** externalId of the corporate action that brought the lot into this security, also understood as lotId. */
  readonly via: string | undefined
  /** The order that bought it. */
  readonly order: string
  readonly acctType: AcctType
  /** Negative for a short lot, never zero. */
  readonly quantity: Decimal
  /** In the security's currency, commission and fees in it; negative for a short lot. */
  readonly cost: Decimal
  /** False when the cost is unknown (then zero): the lot is left out of gains. */
  readonly costKnown: boolean
  /** Date of acquisition. */
  readonly openDate: string
  /** Start of the holding period: openDate, or earlier by the days that a wash sale added. */
  readonly holdingStart: string
  /** Entry order among lots of one date. */
  readonly entry: number
  /** Whether its shares can replace shares sold at a loss: they were bought, and have not replaced others. */
  readonly canReplace: boolean
  /** Disallowed losses in the cost (washDisallowedAmt). */
  readonly washAdded: Decimal
  /** USD for one unit of the currency when the cost was paid. */
  readonly fxRate: Decimal
}

/** Splits off a part of a lot (`quantity` without sign, less than the lot's). The parts' cost is rounded once. */
export function splitLot(lot: Lot, quantity: Decimal, moneyPlaces: number): [part: Lot, rest: Lot] {
  const partQuantity = lot.quantity < 0n ? -quantity : quantity
  const cost = multiplyDivide(lot.cost, partQuantity, lot.quantity, moneyPlaces)
  const washAdded =
    lot.washAdded === ZERO ? ZERO : multiplyDivide(lot.washAdded, partQuantity, lot.quantity, moneyPlaces)
  return [
    withAmounts(lot, partQuantity, cost, washAdded),
    withAmounts(lot, lot.quantity - partQuantity, lot.cost - cost, lot.washAdded - washAdded),
  ]
}

/** The lot with other amounts. Written out because copying with `...` costs ten times as much on the way of every sale. */
export function withAmounts(lot: Lot, quantity: Decimal, cost: Decimal, washAdded: Decimal): Lot {
  return {
    id: lot.id,
    openedBy: lot.openedBy,
    via: lot.via,
    order: lot.order,
    acctType: lot.acctType,
    quantity,
    cost,
    costKnown: lot.costKnown,
    openDate: lot.openDate,
    holdingStart: lot.holdingStart,
    entry: lot.entry,
    canReplace: lot.canReplace,
    washAdded,
    fxRate: lot.fxRate,
  }
}

/** Puts a lot in its place by acquisition date, ties by entry order, after its equals. */
export function insertLot(lots: Lot[], lot: Lot): void {
  const last = lots[lots.length - 1]
  if (last === undefined || comesBefore(last, lot)) {
    lots.push(lot)
    return
  }
  let low = 0
  let high = lots.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const candidate = lots[middle]
    if (candidate !== undefined && comesBefore(candidate, lot)) low = middle + 1
    else high = middle
  }
  lots.splice(low, 0, lot)
}

/** Whether `first` was acquired before `second`, or together with it. */
function comesBefore(first: Lot, second: Lot): boolean {
  if (first.openDate !== second.openDate) return first.openDate < second.openDate
  return first.entry <= second.entry
}

/** Disallowed losses that can still be in a cost that has been lowered. */
export function washWithin(washAdded: Decimal, cost: Decimal): Decimal {
  return cost >= 0n ? min(washAdded, cost) : washAdded
}

export function sideOf(quantity: Decimal): 'long' | 'short' {
  return quantity < 0n ? 'short' : 'long'
}
