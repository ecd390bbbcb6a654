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

/** A sale at a loss, as far as replacements depend on it. */
export interface LossSale {
  readonly side: 'long' | 'short'
  readonly order: string
  /** Trade date. */
  readonly date: string
  readonly holdingStart: string
}

/**
 * The sales that a closing counts as. `delivered` are shares held long that close a short sale. If they were acquired
 * on its day or before, the short sale is complete on that day, as a sale of the shares (26 CFR 1.1091-1(g)). Its
 * closing is another, which a new short sale replaces (26 USC 1091(e)).
 */
export function salesOfClosing(closing: Closing, lot: Lot, delivered: Lot | undefined): readonly LossSale[] {
  const { holdingStart, closeDate: date } = closing
  const closed: LossSale = { side: sideOf(closing.quantity), order: lot.order, date, holdingStart }
  if (delivered === undefined || delivered.openDate > lot.openDate) return [closed]
  const { order } = delivered
  return [{ side: 'long', order, date: lot.openDate, holdingStart: delivered.holdingStart }, closed]
}

/**
 * Washes a closing against the shares still held that were bought in the 30 days before and after its first sale, then
 * those of its second. The rest of the loss waits, once for each sale, until the 30 days have passed. Call this when
 * all lots of the closing have been taken, so that shares sold together do not replace each other. Gains and lots of
 * unknown cost are not changed.
 */
export function washLoss(
  holding: Holding,
  closing: Closing,
  sales: readonly LossSale[],
  effects: Effects,
): void {
  if (closing.gain >= 0n) return
  const { lineId, ordinal, closeDate } = closing
  let left = { quantity: abs(closing.quantity), loss: -closing.gain }
  const waiting: PendingLoss[] = []
  for (const { side, order, date, holdingStart } of sales) {
    const until = addDays(date, WASH_WINDOW_DAYS)
    const daysHeld = daysBetween(holdingStart, date)
    let pending: PendingLoss | undefined = { lineId, ordinal, order, side, ...left, daysHeld, until }
    for (const lot of boughtSince(holding, side, addDays(date, -WASH_WINDOW_DAYS))) {
      if (pending === undefined || lot.openDate > until) break
      if (lot.order !== order) pending = replace(holding, lot, pending, closeDate, effects).pending
    }
    if (pending === undefined) return
    left = { quantity: pending.quantity, loss: pending.loss }
    if (until >= closeDate) waiting.push(pending)
  }
  for (const pending of waiting) awaitPurchase(holding, { ...pending, ...left })
}

/** The losses that wait are in the order of their sales. */
function awaitPurchase({ pendingLosses }: Holding, loss: PendingLoss): void {
  const later = pendingLosses.findIndex(({ until }) => until > loss.until)
  pendingLosses.splice(later < 0 ? pendingLosses.length : later, 0, loss)
}

/** Uses a lot just bought as a replacement for losses of the 30 days before, the earliest sale first. */
export function washByPurchase(holding: Holding, bought: Lot, effects: Effects): void {
  if (holding.pendingLosses.length === 0) return
  let lot: Lot | undefined = bought
  const waiting: PendingLoss[] = []
  const washedNow = new Map<string, PendingLoss | undefined>()
  for (const loss of holding.pendingLosses) {
    if (loss.until < bought.openDate) continue
    if (lot === undefined || loss.side !== sideOf(lot.quantity) || loss.order === lot.order) {
      waiting.push(loss)
      continue
    }
    const washed = replace(holding, lot, loss, bought.openDate, effects)
    lot = washed.lotLeft
    washedNow.set(closingOf(loss), washed.pending)
    if (washed.pending !== undefined) waiting.push(washed.pending)
  }
  holding.pendingLosses = waiting.flatMap((loss) => leftOf(loss, washedNow))
}

function closingOf({ lineId, ordinal }: PendingLoss): string {
  return `${lineId} ${ordinal}`
}

/** A loss that waits twice, for purchases and for short sales, is washed once. */
function leftOf(loss: PendingLoss, washedNow: ReadonlyMap<string, PendingLoss | undefined>): PendingLoss[] {
  if (!washedNow.has(closingOf(loss))) return [loss]
  const left = washedNow.get(closingOf(loss))
  return left === undefined ? [] : [{ ...loss, quantity: left.quantity, loss: left.loss }]
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
