/**
 * Lots: shares that were acquired together and are still held, with their cost and holding period. Lots are immutable.
 * The parts of a lot always add up to it, to the last unit of quantity and of money. Books 3.
 */
import { abs, type Decimal, min, multiplyDivide, ZERO } from '../decimal.ts'
import { type AcctType, QUANTITY_PLACES } from './activity.ts'

export interface Lot {
  /**
   * Unique within the account's holding of the security: `openedBy`, or `openedBy/n` for a part that a wash sale made.
   */
  readonly id: string
  /**
   * externalId of the line that opened the lot, which the lotId of a sale names. Corporate actions and splits into
   * parts preserve it.
   */
  readonly openedBy: string
  /** externalId of the corporate action that brought the lot into this security. A lotId may name it too. */
  readonly via: string | undefined
  /** The order that bought the lot. */
  readonly order: string
  readonly acctType: AcctType
  /** Negative for a short lot, never zero. */
  readonly quantity: Decimal
  /** In the security's currency, including commission and fees. Negative for a short lot. */
  readonly cost: Decimal
  /** False when the cost is unknown. The cost is then zero, and the lot is left out of gains. */
  readonly costKnown: boolean
  /** Date of acquisition. */
  readonly openDate: string
  /** Start of the holding period: openDate, or earlier by the days that a wash sale added. */
  readonly holdingStart: string
  /** Entry order among lots of one date. */
  readonly entry: number
  /** Whether the shares can replace shares sold at a loss: they were bought and have not replaced others. */
  readonly canReplace: boolean
  /** Disallowed losses included in the cost (washDisallowedAmt). */
  readonly washAdded: Decimal
  /** USD for one unit of the currency on the date of the cost. */
  readonly fxRate: Decimal
  /**
   * Of a short sale to which 26 USC 1233(b)(2) and (d) apply: its shares, without sign, for which the account held as
   * many for more than one year on the day of the short sale. A loss on them is Long.
   */
  readonly heldLong?: Decimal | undefined
  /** Of such a short sale: its shares, without sign, for which as many shares beside it were sold before it closed. */
  readonly soldBeside?: Decimal | undefined
}

/** Splits a part off a lot (`quantity` without sign, less than the lot's). The cost is rounded once for both parts. */
export function splitLot(lot: Lot, quantity: Decimal, moneyPlaces: number): [part: Lot, rest: Lot] {
  const partQuantity = lot.quantity < 0n ? -quantity : quantity
  const cost = multiplyDivide(lot.cost, partQuantity, lot.quantity, moneyPlaces)
  const washAdded =
    lot.washAdded === ZERO ? ZERO : multiplyDivide(lot.washAdded, partQuantity, lot.quantity, moneyPlaces)
  const part = withAmounts(lot, partQuantity, cost, washAdded)
  const rest = withAmounts(lot, lot.quantity - partQuantity, lot.cost - cost, lot.washAdded - washAdded)
  return lot.heldLong === undefined ? [part, rest] : splitBeside(lot, part, rest)
}

/** The part of a short sale that closes first is the one with shares beside it. */
function splitBeside({ heldLong = ZERO, soldBeside = ZERO }: Lot, part: Lot, rest: Lot): [Lot, Lot] {
  const held = min(heldLong, abs(part.quantity))
  const sold = min(soldBeside, abs(part.quantity))
  return [
    { ...part, heldLong: held, soldBeside: sold },
    { ...rest, heldLong: heldLong - held, soldBeside: soldBeside - sold },
  ]
}

/** The lot with other amounts. Written out because copying with `...` takes ten times as long in every sale. */
export function withAmounts(lot: Lot, quantity: Decimal, cost: Decimal, washAdded: Decimal): Lot {
  const changed: Lot = {
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
  const { heldLong, soldBeside = ZERO } = lot
  if (heldLong === undefined) return changed
  const scaled = (shares: Decimal) =>
    multiplyDivide(shares, abs(quantity), abs(lot.quantity), QUANTITY_PLACES)
  return { ...changed, heldLong: scaled(heldLong), soldBeside: scaled(soldBeside) }
}

/** Inserts a lot by acquisition date, then by entry order, after equal lots. */
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

/** Whether `first` was acquired before `second` or together with it. */
export function comesBefore(first: Lot, second: Lot): boolean {
  if (first.openDate !== second.openDate) return first.openDate < second.openDate
  return first.entry <= second.entry
}

/** The disallowed losses that remain in a cost that was lowered. */
export function washWithin(washAdded: Decimal, cost: Decimal): Decimal {
  return cost >= 0n ? min(washAdded, cost) : washAdded
}

export function sideOf(quantity: Decimal): 'long' | 'short' {
  return quantity < 0n ? 'short' : 'long'
}
