/** Changing the number of shares of lots without changing their cost, and selling the fraction that results. Books 3. */
import { abs, type Decimal, multiplyDivide, ONE, ZERO } from '../../decimal.ts'
import { type ActivityLine, QUANTITY_PLACES, type Ratio } from '../activity.ts'
import { type Effects, raiseBreak } from '../effects.ts'
import { closeLot, closeLots, noCost } from '../exchange.ts'
import { allocateSigned, type Holding, quantityHeld } from '../holding.ts'
import { type Lot, sideOf, splitLot, withAmounts } from '../lots.ts'

/** Shares that a ratio makes of a quantity, to the places quantities are kept with. */
export function applyRatio(quantity: Decimal, ratio: Ratio): Decimal {
  return multiplyDivide(quantity, ratio.received, ratio.held, QUANTITY_PLACES)
}

/** The lots with `total` shares among them, in proportion; each keeps its cost. Lots that come to no share at all are dropped into the next. */
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

export interface Delivery {
  /** Shares delivered. */
  readonly delivered: Decimal
  /** Shares due and not delivered, for which cash came in lieu. */
  readonly fraction: Decimal
}

/**
 * What is delivered of the shares due: all of them; or whole shares when there is cash in lieu; or what the line says it
 * delivered. A line that delivers something else without cash in lieu is believed, and raises a break.
 */
export function deliver(
  line: ActivityLine,
  due: Decimal,
  told: Decimal | undefined,
  effects: Effects,
): Delivery {
  const hasCash = line.cashInLieu !== undefined && line.cashInLieu !== ZERO
  if (told === undefined) {
    const delivered = hasCash ? due - (due % ONE) : due
    if (hasCash && delivered === due) disagree(line, ZERO, effects)
    return { delivered, fraction: due - delivered }
  }
  const fraction = due - told
  if (fraction === ZERO) return { delivered: told, fraction }
  if (hasCash && sideOf(fraction) === sideOf(due)) return { delivered: told, fraction }
  disagree(line, fraction, effects)
  return { delivered: told, fraction: ZERO }
}

function disagree(line: ActivityLine, quantity: Decimal, effects: Effects): void {
  raiseBreak(
    effects,
    'RatioDisagrees',
    line,
    quantity,
    'Quantity, ratio and cash in lieu of the line do not agree.',
  )
}

/**
 * Closes a fraction of lots just received for the cash that came in lieu of it, first in first out; answers the lots left
 * and the signed cash. Without a fraction the cash is all gain.
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

/** Closes lots that come to no share at all for the cash in lieu, and any other cash; answers the signed cash. */
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
