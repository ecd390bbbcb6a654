/**
 * Wash sales as a broker reports them: same account, same security, replacements bought within 30 calendar days before
 * or after the sale, inclusive; the earliest purchase first; each share replaces once. Books 3; 26 CFR 1.1091-1,
 * 1.1091-2, 1.6045-1(d)(6).
 */
import { abs, min, multiplyDivide } from '../decimal.ts'
import { addDays, daysBetween } from '../market/calendar/day.ts'
import type { Closing, Effects } from './effects.ts'
import { type Holding, lotsOf, type PendingLoss } from './holding.ts'
import { type Lot, sideOf, splitLot } from './lots.ts'

/** The days before and after a sale at a loss in which a purchase is a replacement. */
const WASH_WINDOW_DAYS = 30

/**
 * Washes a closing against the shares still held that were bought in the 30 days before it. The rest of the loss waits
 * for purchases in the 30 days after it. Call this when all lots of the sale have been taken, so that shares sold
 * together do not replace each other. Gains and lots of unknown cost are not changed.
 */
export function washLoss(holding: Holding, closing: Closing, order: string, effects: Effects): void {
  if (closing.gain >= 0n) return
  const side = sideOf(closing.quantity)
  let pending: PendingLoss | undefined = {
    lineId: closing.lineId,
    ordinal: closing.ordinal,
    order,
    side,
    quantity: abs(closing.quantity),
    loss: -closing.gain,
    daysHeld: daysBetween(closing.holdingStart, closing.closeDate),
    until: addDays(closing.closeDate, WASH_WINDOW_DAYS),
  }
  const since = addDays(closing.closeDate, -WASH_WINDOW_DAYS)
  for (const lot of boughtSince(holding, side, since)) {
    if (pending === undefined) break
    if (lot.order !== order) pending = replace(holding, lot, pending, closing.closeDate, effects).pending
  }
  if (pending !== undefined) holding.pendingLosses.push(pending)
}

/** Uses a lot just bought as a replacement for losses of the 30 days before, the earliest sale first. */
export function washByPurchase(holding: Holding, bought: Lot, effects: Effects): void {
  if (holding.pendingLosses.length === 0) return
  let lot: Lot | undefined = bought
  const waiting: PendingLoss[] = []
  for (const loss of holding.pendingLosses) {
    if (loss.until < bought.openDate) continue
    if (lot === undefined || loss.side !== sideOf(lot.quantity) || loss.order === lot.order) {
      waiting.push(loss)
      continue
    }
    const washed = replace(holding, lot, loss, bought.openDate, effects)
    lot = washed.lotLeft
    if (washed.pending !== undefined) waiting.push(washed.pending)
  }
  holding.pendingLosses = waiting
}

/** Lots of all account types whose shares can be replacements, the earliest purchase first, then by entry order. */
function boughtSince(holding: Holding, side: 'long' | 'short', since: string): Lot[] {
  const found: Lot[] = []
  for (const lots of holding.lots) {
    for (let index = lots.length - 1; index >= 0; index -= 1) {
      const lot = lots[index]
      if (lot === undefined || lot.openDate < since) break
      if (lot.canReplace && sideOf(lot.quantity) === side) found.push(lot)
    }
  }
  return found.sort((a, b) =>
    a.openDate === b.openDate ? a.entry - b.entry : a.openDate < b.openDate ? -1 : 1,
  )
}

/**
 * Makes a lot, or as much of it as is needed, the replacement for a loss. The disallowed loss is added to its cost, and
 * the days for which the shares sold were held are added to its holding period. Returns the rest of the lot and of the
 * loss.
 */
function replace(
  holding: Holding,
  lot: Lot,
  loss: PendingLoss,
  date: string,
  effects: Effects,
): { lotLeft: Lot | undefined; pending: PendingLoss | undefined } {
  const { moneyPlaces, key: securityKey } = holding.security
  const available = abs(lot.quantity)
  const quantity = min(available, loss.quantity)
  const whole = quantity === available
  const [part, lotLeft] = whole ? [lot, undefined] : splitLot(lot, quantity, moneyPlaces)
  const disallowed =
    quantity === loss.quantity ? loss.loss : multiplyDivide(loss.loss, quantity, loss.quantity, moneyPlaces)
  if (!whole) holding.parts += 1
  const replacement: Lot = {
    ...part,
    id: whole ? part.id : `${part.openedBy}/${holding.parts}`,
    cost: part.cost + disallowed,
    washAdded: part.washAdded + disallowed,
    canReplace: false,
    holdingStart: loss.side === 'long' ? addDays(part.holdingStart, -loss.daysHeld) : part.holdingStart,
  }
  const lots = lotsOf(holding, lot.acctType)
  const index = lots.indexOf(lot)
  if (index < 0) throw new Error(`lot ${lot.id} is not in its holding`)
  if (lotLeft === undefined) lots[index] = replacement
  else lots.splice(index, 1, replacement, lotLeft)
  effects.washes.push({
    lossLineId: loss.lineId,
    lossOrdinal: loss.ordinal,
    securityKey,
    lotId: replacement.id,
    quantity,
    disallowed,
    date,
  })
  if (quantity === loss.quantity) return { lotLeft, pending: undefined }
  return {
    lotLeft,
    pending: { ...loss, quantity: loss.quantity - quantity, loss: loss.loss - disallowed },
  }
}
