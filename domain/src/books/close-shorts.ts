/**
 * Shares held long that close a short sale: the gain is realized when they are delivered (26 CFR 1.1233-1(a)(1)). The
 * basis of the shares is the cost of the cover. Books 3.
 */
import { abs, type Decimal } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import type { Effects } from './effects.ts'
import { closeLots } from './exchange.ts'
import { type Holding, quantityHeld } from './holding.ts'
import { type Lot, splitLot } from './lots.ts'

/**
 * Closes short lots with shares of the same quantity, in the order of both. All of them have left the holding, so none
 * can replace another in a wash sale. If the cost of the shares is unknown, so is the gain.
 */
export function closeShorts(
  holding: Holding,
  line: ActivityLine,
  shares: readonly Lot[],
  shorts: readonly Lot[],
  effects: Effects,
): void {
  const open = [...shorts]
  for (const [index, share] of shares.entries()) {
    const { quantity, cost, costKnown } = share
    const taken = takeFirst(open, quantity, holding.security.moneyPlaces).map((short) => {
      return { ...short, costKnown: short.costKnown && costKnown }
    })
    const delivered = line.soldShort === true ? share : undefined
    const deliveries = shares.slice(index)
    const closed = {
      kind: 'Cover',
      taken,
      consideration: -cost,
      washes: true,
      delivered,
      deliveries,
    } as const
    closeLots(holding, line, closed, effects)
  }
}

/** Takes the first short lots, up to a quantity without sign. */
function takeFirst(open: Lot[], quantity: Decimal, moneyPlaces: number): Lot[] {
  const taken: Lot[] = []
  let left = quantity
  while (left > 0n) {
    const first = open.shift()
    if (first === undefined) throw new Error(`no short lot is left for ${left} of ${quantityHeld(taken)}`)
    if (abs(first.quantity) <= left) {
      taken.push(first)
    } else {
      const [part, rest] = splitLot(first, left, moneyPlaces)
      open.unshift(rest)
      taken.push(part)
    }
    left += (taken[taken.length - 1] as Lot).quantity
  }
  return taken
}
