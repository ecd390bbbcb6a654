/** Changes the number of shares in lots without changing their cost, and sells the resulting fraction. Books 3. */
import { abs, type Decimal, multiplyDivide, ONE, ZERO } from '../../decimal.ts'
import { type ActivityLine, QUANTITY_PLACES, type Ratio } from '../activity.ts'
import { type Effects, raiseBreak } from '../effects.ts'
import { closeLot, closeLots, noCost } from '../exchange.ts'
import { allocateSigned, type Holding, type PendingLoss, quantityHeld } from '../holding.ts'
import { type Lot, sideOf, splitLot, withAmounts } from '../lots.ts'

/** The quantity after a ratio, to the decimal places of a quantity. */
export function applyRatio(quantity: Decimal, ratio: Ratio): Decimal {
  return multiplyDivide(quantity, ratio.received, ratio.held, QUANTITY_PLACES)
}

/**
 * Divides `total` shares among the lots in proportion. Each lot keeps its cost. A lot that would have no share is
 * merged into the next.
 */
export function scaleLots(lots: readonly Lot[], total: Decimal): Lot[] {
  const quantities = allocateSigned(
    total,
    lots.map((lot) => lot.quantity),
    QUANTITY_PLACES,
  )
  const scaled: Lot[] = []
  let cost = ZERO
  let washAdded = ZERO
  lots.forEach((lot, index) => {
    const quantity = quantities[index] ?? ZERO
    cost += lot.cost
    washAdded += lot.washAdded
    if (quantity === ZERO) return
    scaled.push(withAmounts(lot, quantity, cost, washAdded))
    cost = ZERO
    washAdded = ZERO
  })
  const last = scaled[scaled.length - 1]
  if (last !== undefined) {
    scaled[scaled.length - 1] = withAmounts(last, last.quantity, last.cost + cost, last.washAdded + washAdded)
  }
  return scaled
}

/** Shares sold at a loss before the ratio are replaced by the corresponding number of shares bought after it. */
export function scaleLosses(losses: readonly PendingLoss[], ratio: Ratio): PendingLoss[] {
  return losses
    .map((loss) => ({ ...loss, quantity: applyRatio(loss.quantity, ratio) }))
    .filter((loss) => loss.quantity > 0n)
}

/** The quantity of a line, with the sign of the change that its ratio makes if the line is signed by it. */
export function quantityDelivered(
  { quantity, signedByRatio }: Pick<ActivityLine, 'quantity' | 'signedByRatio'>,
  ofRatio: Decimal | undefined,
): Decimal {
  if (signedByRatio === undefined || ofRatio === undefined || ofRatio === ZERO) return quantity
  return sideOf(quantity) === sideOf(ofRatio) ? quantity : -quantity
}

export interface Delivery {
  /** Shares delivered. */
  readonly delivered: Decimal
  /** Shares that were due and for which cash was paid in lieu. */
  readonly fraction: Decimal
}

/**
 * The shares delivered out of the shares due: all of them, whole shares if cash is paid in lieu, or the quantity that
 * the line states. A line that states another quantity without cash in lieu is accepted and raises a break.
 */
export function deliver(
  line: ActivityLine,
  due: Decimal,
  stated: Decimal | undefined,
  effects: Effects,
): Delivery {
  const hasCash = line.cashInLieu !== undefined && line.cashInLieu !== ZERO
  if (stated === undefined) {
    const delivered = hasCash ? due - (due % ONE) : due
    if (hasCash && delivered === due) disagree(line, ZERO, effects)
    return { delivered, fraction: due - delivered }
  }
  const fraction = due - stated
  if (fraction === ZERO) return { delivered: stated, fraction }
  const isFraction = hasCash && sideOf(fraction) === sideOf(due)
  if (isFraction && abs(fraction) <= abs(due)) return { delivered: stated, fraction }
  disagree(line, fraction, effects)
  // No more than the shares due can be sold for the cash.
  if (isFraction) return { delivered: ZERO, fraction: due }
  return { delivered: stated, fraction: ZERO }
}

function disagree(line: ActivityLine, quantity: Decimal, effects: Effects): void {
  raiseBreak(
    effects,
    'RatioDisagrees',
    line,
    quantity,
    'Quantity, ratio and cash in lieu of the line do not agree. Compare it with the announcement; cancel it and rebill it, or load the missing trade.',
  )
}

/**
 * Closes a fraction of the lots just received, first in first out, for the cash in lieu. Returns the remaining lots and
 * the signed cash. Without a fraction the cash is a gain.
 */
export function sellFraction(
  holding: Holding,
  line: ActivityLine,
  lots: readonly Lot[],
  fraction: Decimal,
  effects: Effects,
): { lots: Lot[]; cash: Decimal } {
  const short = quantityHeld(lots) < 0n
  const amount = line.cashInLieu ?? ZERO
  const cash = short ? -amount : amount
  const kept: Lot[] = []
  const taken: Lot[] = []
  let left = abs(fraction)
  for (const lot of lots) {
    const available = abs(lot.quantity)
    if (left === ZERO) kept.push(lot)
    else if (available <= left) {
      taken.push(lot)
      left -= available
    } else {
      const [part, rest] = splitLot(lot, left, holding.security.moneyPlaces)
      taken.push(part)
      kept.push(rest)
      left = ZERO
    }
  }
  const first = lots[0]
  if (taken.length > 0)
    closeLots(holding, line, { kind: 'CashInLieu', taken, consideration: cash, washes: false }, effects)
  else if (first !== undefined && cash !== ZERO) {
    closeLot(holding, line, { kind: 'CashInLieu', lot: first, ...noCost, proceeds: cash }, effects)
  }
  return { lots: kept, cash }
}

/** Closes lots that have no share left, for the cash in lieu and any other cash. Returns the signed cash. */
export function sellAll(
  holding: Holding,
  line: ActivityLine,
  lots: readonly Lot[],
  effects: Effects,
  otherCash: Decimal = ZERO,
): Decimal {
  const inLieu = line.cashInLieu ?? ZERO
  const cash = otherCash + (quantityHeld(lots) < 0n ? -inLieu : inLieu)
  closeLots(holding, line, { kind: 'CashInLieu', taken: lots, consideration: cash, washes: false }, effects)
  return cash
}
