/**
 * Spin-offs: part of the cost of every lot, with its holding period, moves to shares of another security. Books 3; 26
 * USC 358(b). A taxable spin-off moves no cost: the shares are a dividend, at their value (26 USC 301).
 */
import { multiply, ZERO } from '../../decimal.ts'
import type { ActivityLine } from '../activity.ts'
import { type Effects, raiseBreak } from '../effects.ts'
import type { Books, Holding } from '../holding.ts'
import type { Lot } from '../lots.ts'
import { receiveLot } from '../receive.ts'
import { lotDistributed } from './at-value.ts'
import { positionActedOn, recordMovement, securityReceived } from './held.ts'
import { applyRatio, deliver, quantityDelivered, scaleLots, sellFraction } from './scale.ts'

/**
 * Delivers shares of the other security by the ratio, or the quantity stated, and moves `costShare` of each lot's cost
 * to them, or opens a lot at their value if the line is taxable.
 */
export function spinOff(books: Books, line: ActivityLine, effects: Effects): void {
  const { holding, lots, quantity } = positionActedOn(books, line, effects)
  const received = securityReceived(line)
  if (quantity === ZERO) {
    recordMovement(effects, line, received, ZERO, line.cashInLieu ?? ZERO)
    return
  }
  const ofRatio = line.ratio && applyRatio(quantity, line.ratio)
  const stated = line.quantity === ZERO ? undefined : quantityDelivered(line, ofRatio)
  const due = ofRatio ?? stated ?? ZERO
  if (due === ZERO) {
    // The position is too small for a share of the other security: the cost does not move.
    raiseBreak(
      effects,
      'RatioDisagrees',
      line,
      ZERO,
      'The ratio gives no share of the security received. Compare it with the announcement; cancel the line, or rebill it with cash in lieu.',
    )
    recordMovement(effects, line, received, ZERO, line.cashInLieu ?? ZERO)
    return
  }
  const { delivered, fraction } = deliver(line, due, stated, effects)
  const total = delivered + fraction
  const distributed = line.taxable
    ? [lotDistributed(line, total)]
    : scaleLots(moveCost(holding, lots, line), total)
  const target = books.holdingOf(received)
  const { lots: incoming, cash } = sellFraction(target, line, distributed, fraction, effects)
  for (const lot of incoming) receiveLot(target, line, lot, books.lotMethod, effects)
  recordMovement(effects, line, received, delivered, cash)
}

/** Takes `costShare` of the cost off the lots, and returns lots with the cost taken off. */
function moveCost({ security: { moneyPlaces } }: Holding, lots: Lot[], line: ActivityLine): Lot[] {
  const costShare = line.costShare ?? ZERO
  const moved: Lot[] = lots.map((lot) => ({
    ...lot,
    cost: multiply(lot.cost, costShare, moneyPlaces),
    washAdded: multiply(lot.washAdded, costShare, moneyPlaces),
    via: line.externalId,
    canReplace: false,
  }))
  lots.forEach((lot, index) => {
    const part = moved[index]
    if (part === undefined) return
    lots[index] = { ...lot, cost: lot.cost - part.cost, washAdded: lot.washAdded - part.washAdded }
  })
  return moved
}
