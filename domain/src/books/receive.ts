/** Lots that come with a history: by transfer, journal or corporate action. Cost and holding period are carried. Books 3. */
import { abs, multiplyDivide, ZERO } from '../decimal.ts'
import type { ActivityLine, LotMethod } from './activity.ts'
import { type ClosingKind, type Effects, raiseBreak } from './effects.ts'
import { closeLots } from './exchange.ts'
import { type Holding, lotsOf, methodOf, quantityHeld } from './holding.ts'
import { insertLot, type Lot, sideOf, withAmounts } from './lots.ts'
import { relieveLots } from './relief.ts'

/**
 * Puts a lot that already has a cost and an acquisition date into a holding. Where the account type holds the other side
 * (shares delivered against a short), it closes that first, at its cost; only the rest stays as a lot. Of a lot whose cost
 * is unknown the gain of what it closes is unknown too.
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
  closeLots(holding, line, { kind, taken, consideration: restCost - lot.cost, washes: false }, effects)
  if (restQuantity === ZERO) return
  const washAdded = multiplyDivide(lot.washAdded, restQuantity, lot.quantity, moneyPlaces)
  insertLot(lots, withAmounts(lot, restQuantity, restCost, washAdded))
}

/** A spin-off and a later merger can bring parts of one lot together again; each keeps a name of its own. */
function uniquelyNamed(holding: Holding, lot: Lot): Lot {
  // The part's number counts as used here, so that no part made later gets the same name.
  if (lot.id !== lot.openedBy) {
    holding.parts = Math.max(holding.parts, Number.parseInt(lot.id.slice(lot.openedBy.length + 1), 10))
  }
  if (!holding.lots.some((lots) => lots.some((other) => other.id === lot.id))) return lot
  holding.parts += 1
  return { ...lot, id: `${lot.openedBy}/${holding.parts}` }
}

/** Takes lots out with their cost, towards zero or beyond; what is missing opens a lot of unknown cost on the other side. */
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
      'More left than was held; the rest opened a lot of unknown cost.',
    )
    insertLot(lots, lotFromLine(line, quantity))
  }
  return taken
}

/** A lot as a line brings it: with the line's acquisition date and cost, unknown when it names none. */
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
    holdingStart: openDate,
    entry: line.sequence,
    canReplace: false,
    washAdded: ZERO,
    fxRate: line.fxRate,
  }
}
