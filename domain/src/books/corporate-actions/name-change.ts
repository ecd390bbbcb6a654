/** Changes of name or identifier: lots and pending losses move to another key unchanged. */
import { ONE, ZERO } from '../../decimal.ts'
import type { ActivityLine } from '../activity.ts'
import type { Effects } from '../effects.ts'
import type { Books } from '../holding.ts'
import { receiveLot } from '../receive.ts'
import { positionActedOn, recordMovement, replaceLots, securityReceived } from './held.ts'
import { applyRatio, scaleLots } from './scale.ts'

/**
 * Moves the lots to the new key, one for one unless the line has a ratio. Shares bought under the new key still replace
 * shares sold at a loss under the old one.
 */
export function changeName(books: Books, line: ActivityLine, effects: Effects): void {
  const { holding, lots, quantity } = positionActedOn(books, line, effects)
  const target = books.holdingOf(securityReceived(line))
  target.pendingLosses.push(...holding.pendingLosses)
  target.pendingLosses.sort((a, b) => (a.until < b.until ? -1 : a.until > b.until ? 1 : 0))
  holding.pendingLosses = []
  if (quantity === ZERO) return
  const due = applyRatio(quantity, line.ratio ?? { received: ONE, held: ONE })
  const moved = scaleLots(lots, due)
  replaceLots(lots, [])
  for (const lot of moved)
    receiveLot(target, line, { ...lot, via: line.externalId }, books.lotMethod, effects)
  recordMovement(effects, line, holding.security, -quantity, ZERO)
  recordMovement(effects, line, target.security, due, ZERO)
}
