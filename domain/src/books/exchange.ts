/**
 * The only way in which a position changes for money: lots of the opposite side are closed, and the rest opens a lot. A
 * trade that crosses zero does both. Purchases, sales, short sales, covers, exercises, maturities and cash mergers use
 * it. Books 3.
 */
import { abs, type Decimal, multiplyDivide, ZERO } from '../decimal.ts'
import type { ActivityLine, LotMethod } from './activity.ts'
import { type Closing, type ClosingKind, type Effects, raiseBreak } from './effects.ts'
import { type Holding, lotsOf, methodOf } from './holding.ts'
import { insertLot, type Lot, sideOf } from './lots.ts'
import { relieveLots } from './relief.ts'
import { beginAnew, isLongLoss, openBeside, partsByTerm, soldBeside } from './short-beside.ts'
import { termOf } from './term.ts'
import { type LossSale, salesOfClosing, washByPurchase, washLoss } from './wash-sale.ts'

export interface Exchange {
  readonly kind: ClosingKind
  /** Signed change of the position. */
  readonly change: Decimal
  /** Signed cash for the change, without accrued interest: negative for a purchase. */
  readonly consideration: Decimal
  /**
   * Whether losses can be washed and lots opened can replace others: true for a purchase or sale, false for a corporate
   * action.
   */
  readonly washes: boolean
  /** The line is a short sale: selling more than the position is intended. */
  readonly opensShort: boolean
  /** The lot that the line names was taken from another security. */
  readonly lotElsewhere?: boolean
}

/**
 * Changes a position for money: closes and opens lots, washes losses, and raises a break when a sale exceeds the
 * position.
 */
export function exchange(
  holding: Holding,
  line: ActivityLine,
  { kind, change, consideration, washes, opensShort, lotElsewhere = false }: Exchange,
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
    if (!lotElsewhere) noticeUnknownLot(line, taken, effects)
    // The quantities taken have the opposite sign. The rest of the change opens a lot.
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
      isPerhapsWritten(holding, opening === change)
        ? 'An option was sold of which none was held, so the line wrote it. If it was to be written, cancel the line and rebill it as SSL; otherwise load the missing purchase or transfer.'
        : 'More was sold than was held; the rest opened a short lot. Load the missing purchase or transfer, or cancel the sale.',
    )
  }
  const opened: Lot = {
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
  const lot = opening < 0n && line.besideShares === true ? openBeside(holding, opened) : opened
  insertLot(lots, lot)
  if (washes) washByPurchase(holding, lot, effects)
}

/** Some feeds report a written option as SEL. If the account held none, the sale may have been meant to write it. */
function isPerhapsWritten({ security, lots }: Holding, isWhole: boolean): boolean {
  return isWhole && security.option !== undefined && !lots.flat().some(({ quantity }) => quantity > 0n)
}

export interface TakenLots {
  readonly kind: ClosingKind
  readonly taken: readonly Lot[]
  /** The consideration for all of the lots. */
  readonly consideration: Decimal
  /** Whether a loss may be washed. */
  readonly washes: boolean
  /** Of short lots: the shares held long that close them, if their sale can count from the short sale. */
  readonly delivered?: Lot | undefined
  /** Of short lots: all shares held long that are delivered and have left the holding. */
  readonly deliveries?: readonly Lot[] | undefined
}

/**
 * Records the closing of lots that were taken. The consideration is divided among them by quantity, without a
 * remainder.
 */
export function closeLots(
  holding: Holding,
  line: ActivityLine,
  { kind, taken: relieved, consideration, washes, delivered, deliveries = [] }: TakenLots,
  effects: Effects,
): void {
  const { moneyPlaces } = holding.security
  const taken = soldBeside(holding, relieved, line.tradeDate)
  let quantityLeft = ZERO
  for (const lot of taken) quantityLeft += lot.quantity
  let proceedsLeft = consideration
  const closings: { closing: Closing; sales: readonly LossSale[] }[] = []
  for (const lot of taken) {
    const proceeds =
      lot.quantity === quantityLeft
        ? proceedsLeft
        : multiplyDivide(proceedsLeft, lot.quantity, quantityLeft, moneyPlaces)
    quantityLeft -= lot.quantity
    proceedsLeft -= proceeds
    for (const part of partsByTerm(lot, proceeds, moneyPlaces)) {
      const { quantity, cost, washAdded } = part.lot
      const closing = closeLot(holding, line, { kind, ...part, quantity, cost, washAdded }, effects)
      if (washes) closings.push({ closing, sales: salesOfClosing(closing, part.lot, delivered) })
    }
  }
  for (const { closing, sales } of closings) washLoss(holding, closing, sales, effects)
  beginAnew(holding, taken, deliveries, line.tradeDate)
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

/** For a closing that closes no shares and no cost. */
export const noCost = { quantity: ZERO, cost: ZERO, washAdded: ZERO } as const

/** Records that `quantity` and `cost` of a lot were closed for `proceeds`. */
export function closeLot(
  holding: Holding,
  line: ActivityLine,
  { kind, lot, quantity, proceeds, cost, washAdded }: ClosedPart,
  effects: Effects,
): Closing {
  const before = effects.closings[effects.closings.length - 1]
  const gain = lot.costKnown ? proceeds - cost : ZERO
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
    gain,
    costKnown: lot.costKnown,
    term: isLongLoss(lot, gain) ? 'Long' : termOf(sideOf(lot.quantity), lot.holdingStart, line.tradeDate),
    openFxRate: lot.fxRate,
    closeFxRate: line.fxRate,
  }
  effects.closings.push(closing)
  return closing
}

/** Raises a break if the lot that a line names is smaller than the quantity taken. */
export function noticeUnknownLot(line: ActivityLine, taken: readonly Lot[], effects: Effects): void {
  if (line.lotId === undefined) return
  const others = taken.filter((lot) => !isNamed(lot, line))
  if (others.length === 0) return
  let missing = ZERO
  for (const lot of others) missing += lot.quantity
  const reason =
    'The lot named does not hold as much; the rest was taken by the account’s method. Cancel the line, and rebill it with the lot that was sold.'
  raiseBreak(effects, 'UnknownLot', line, missing, reason)
}

export function isNamed({ openedBy, via }: Lot, { lotId }: ActivityLine): boolean {
  return lotId !== undefined && (openedBy === lotId || via === lotId)
}
