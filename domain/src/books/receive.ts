/**
 * Lots that arrive with a history: by transfer, journal or corporate action. Cost and holding period are carried over.
 * Books 3.
 */
import { abs, multiplyDivide, ZERO } from '../decimal.ts'
import { addDays } from '../market/calendar/day.ts'
import type { ActivityLine, LotMethod } from './activity.ts'
import { type ClosingKind, type Effects, raiseBreak } from './effects.ts'
import { closeLots } from './exchange.ts'
import { type Holding, lotsOf, methodOf, quantityHeld } from './holding.ts'
import { insertLot, type Lot, sideOf, withAmounts } from './lots.ts'
import { relieveLots } from './relief.ts'

/**
 * Adds a lot that already has a cost and an acquisition date to a holding. If the account type has a position on the
 * opposite side (shares delivered against a short), the lot closes that first, at its cost, and only the rest remains
 * as a lot. If the cost of the lot is unknown, so is the gain of what it closes.
 */
export function receiveLot(
  holding: Holding,
  line: ActivityLine,
  incoming: Lot,
  accountMethod: LotMethod,
  effects: Effects,
): void {
  const lot = uniquelyNamed(holding, incoming)
  const lots = lotsOf(holding, lot.acctType)
  const held = quantityHeld(lots)
  if (held === ZERO || sideOf(held) === sideOf(lot.quantity)) {
    insertLot(lots, lot)
    return
  }
  const method = methodOf(holding.security, accountMethod)
  const taken = relieveLots(holding, lot.acctType, abs(lot.quantity), method, undefined).map((other) =>
    lot.costKnown ? other : { ...other, costKnown: false },
  )
  const restQuantity = lot.quantity + quantityHeld(taken)
  const { moneyPlaces } = holding.security
  const restCost = multiplyDivide(lot.cost, restQuantity, lot.quantity, moneyPlaces)
  const kind: ClosingKind = sideOf(lot.quantity) === 'short' ? 'Sale' : 'Cover'
  const consideration = restCost - lot.cost
  closeLots(holding, line, { kind, taken, consideration, washes: false, deliveries: [lot] }, effects)
  if (restQuantity === ZERO) return
  const washAdded = multiplyDivide(lot.washAdded, restQuantity, lot.quantity, moneyPlaces)
  insertLot(lots, withAmounts(lot, restQuantity, restCost, washAdded))
}

/** A spin-off followed by a merger can bring parts of one lot together again. Each part keeps a name of its own. */
function uniquelyNamed(holding: Holding, lot: Lot): Lot {
  // The number of the part, 0 of a whole lot, is recorded as used, so that no later part gets the same name.
  holding.parts = Math.max(holding.parts, Number(lot.id.slice(lot.openedBy.length + 1)))
  if (!holding.lots.some((lots) => lots.some((other) => other.id === lot.id))) return lot
  holding.parts += 1
  return { ...lot, id: `${lot.openedBy}/${holding.parts}` }
}

/**
 * Removes lots with their cost, through zero if necessary: the excess opens a lot of unknown cost on the opposite side.
 */
export function sendLots(
  holding: Holding,
  line: ActivityLine,
  magnitude: bigint,
  accountMethod: LotMethod,
  effects: Effects,
): Lot[] {
  const lots = lotsOf(holding, line.acctType)
  const short = (lots[0]?.quantity ?? ZERO) < 0n
  const method = methodOf(holding.security, accountMethod)
  const taken = relieveLots(holding, line.acctType, magnitude, method, line.lotId)
  const sent = quantityHeld(taken)
  const missing = magnitude - abs(sent)
  if (missing > 0n) {
    const quantity = short ? missing : -missing
    raiseBreak(
      effects,
      'Oversold',
      line,
      quantity,
      'More left than was held; the rest opened a lot of unknown cost. Load the missing purchase or transfer, or cancel the line.',
    )
    insertLot(lots, lotFromLine(line, quantity))
  }
  return taken
}

/** What was inherited counts as held for more than a year, whatever the day of its sale: 26 USC 1223(9). */
function startOfInherited(diedOn: string): string {
  return addDays(diedOn, -daysOfLeapYear - 1)
}

const daysOfLeapYear = 366

/**
 * The lot that a line brings, with the acquisition date and cost of the line. The cost is unknown if the line has none.
 */
export function lotFromLine(line: ActivityLine, quantity: bigint): Lot {
  const openDate = line.openDate ?? line.tradeDate
  return {
    id: line.externalId,
    openedBy: line.externalId,
    via: undefined,
    order: line.order,
    acctType: line.acctType,
    quantity,
    cost: line.cost ?? ZERO,
    costKnown: line.cost !== undefined,
    openDate,
    holdingStart: line.inherited ? startOfInherited(openDate) : openDate,
    entry: line.sequence,
    canReplace: false,
    washAdded: ZERO,
    fxRate: line.fxRate,
  }
}
