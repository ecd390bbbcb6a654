/**
 * Changes of name or identifier, and splits with a new identifier: lots and pending losses move to another key, by a
 * ratio when the line has one.
 */
import { ONE, ZERO } from '../../decimal.ts'
import type { ActivityLine } from '../activity.ts'
import type { Effects } from '../effects.ts'
import type { Books } from '../holding.ts'
import { receiveLot } from '../receive.ts'
import { positionActedOn, recordMovement, securityReceived } from './held.ts'
import { applyRatio, deliver, scaleLosses, scaleLots, sellAll, sellFraction } from './scale.ts'

const ONE_FOR_ONE = { received: ONE, held: ONE }

/**
 * Moves the lots to the new key, one for one unless the line has a ratio. Cash in lieu sells the fraction. Shares
 * bought under the new key still replace shares sold at a loss under the old one.
 */
export function changeName(books: Books, line: ActivityLine, effects: Effects): void {
  const { holding, lots, quantity } = positionActedOn(books, line, effects)
  const target = books.holdingOf(securityReceived(line))
  const ratio = line.ratio ?? ONE_FOR_ONE
  target.pendingLosses.push(...scaleLosses(holding.pendingLosses, ratio))
  target.pendingLosses.sort((a, b) => (a.until < b.until ? -1 : a.until > b.until ? 1 : 0))
  holding.pendingLosses = []
  if (quantity === ZERO) {
    recordMovement(effects, line, holding.security, ZERO, line.cashInLieu ?? ZERO)
    return
  }
  // The quantity of a split is the change in shares.
  const changes = line.transType === 'Split' && line.quantity !== ZERO
  const stated = changes ? quantity + line.quantity : undefined
  const { delivered, fraction } = deliver(line, applyRatio(quantity, ratio), stated, effects)
  const given = lots.splice(0)
  const due = delivered + fraction
  if (due === ZERO) {
    recordMovement(effects, line, holding.security, -quantity, sellAll(holding, line, given, effects))
    return
  }
  const { lots: moved, cash } = sellFraction(target, line, scaleLots(given, due), fraction, effects)
  for (const lot of moved)
    receiveLot(target, line, { ...lot, via: line.externalId }, books.lotMethod, effects)
  recordMovement(effects, line, holding.security, -quantity, ZERO)
  recordMovement(effects, line, target.security, delivered, cash)
}
