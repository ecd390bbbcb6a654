/** Lot relief: the lots that a sale takes, their parts and their cost. Books 3. */
import { abs, type Decimal, multiplyDivide, sum, ZERO } from '../decimal.ts'
import type { AcctType, LotMethod } from './activity.ts'
import { allocateSigned, type Holding, isPooled, lotsOf, quantityHeld } from './holding.ts'
import { type Lot, splitLot, withAmounts } from './lots.ts'

/**
 * Takes up to `quantity` (without sign) from the lots of an account type and returns the parts in order of relief:
 * first the lots that `lotId` names, then by method. If the lots do not suffice, the parts sum to less; the caller must
 * check.
 */
export function relieveLots(
  holding: Holding,
  acctType: AcctType,
  quantity: Decimal,
  method: LotMethod,
  lotId: string | undefined,
): Lot[] {
  const lots = lotsOf(holding, acctType)
  const pooled = method === 'Average'
  const pool = pooled ? holding.lots.flatMap((all) => all.filter(isPooled)) : []
  const taken: Lot[] = []
  let left = quantity
  if (lotId !== undefined) {
    for (let index = 0; index < lots.length && left > 0n; ) {
      const lot = lots[index]
      if (lot === undefined || (lot.openedBy !== lotId && lot.via !== lotId)) index += 1
      else left -= takeAt(lots, index, left, taken, holding.security.moneyPlaces)
    }
  }
  while (left > 0n && lots.length > 0) {
    left -= takeAt(lots, nextIndex(lots, method), left, taken, holding.security.moneyPlaces)
  }
  return pooled ? priceFromPool(holding, pool, taken) : taken
}

/** Takes a lot, or the part that is still needed, and returns the quantity taken. */
function takeAt(lots: Lot[], index: number, needed: Decimal, taken: Lot[], moneyPlaces: number): Decimal {
  const lot = lots[index]
  if (lot === undefined) throw new Error(`no lot at ${index} of ${lots.length}`)
  const available = abs(lot.quantity)
  if (available > needed) {
    const [part, rest] = splitLot(lot, needed, moneyPlaces)
    lots[index] = rest
    taken.push(part)
    return needed
  }
  if (index === 0) lots.shift()
  else lots.splice(index, 1)
  taken.push(lot)
  return available
}

function nextIndex(lots: readonly Lot[], method: LotMethod): number {
  switch (method) {
    case 'FIFO':
    case 'Average':
      return 0
    case 'LIFO':
      return lots.length - 1
    case 'HIFO':
      return highestUnitCost(lots)
    default:
      return method satisfies never
  }
}

/** The first lot with the highest cost per share (for shorts: proceeds per share), compared without division. */
function highestUnitCost(lots: readonly Lot[]): number {
  let best = 0
  for (let index = 1; index < lots.length; index += 1) {
    const lot = lots[index]
    const champion = lots[best]
    if (lot === undefined || champion === undefined) break
    // Lots of one account type have one sign, so the product of their quantities is positive and preserves the order.
    if (lot.cost * champion.quantity > champion.cost * lot.quantity) best = index
  }
  return best
}

/**
 * Average cost is rounded once for the whole sale: total cost × quantity sold ÷ quantity held. The parts sold divide
 * that amount by quantity, and the remaining lots divide the rest.
 */
function priceFromPool(holding: Holding, pool: readonly Lot[], taken: readonly Lot[]): Lot[] {
  const { moneyPlaces } = holding.security
  const poolQuantity = quantityHeld(pool)
  const takenQuantity = quantityHeld(taken.filter(isPooled))
  if (takenQuantity === ZERO) return [...taken]
  const share = (total: Decimal) => multiplyDivide(total, takenQuantity, poolQuantity, moneyPlaces)
  const cost = share(sum(pool.map((lot) => lot.cost)))
  const washAdded = share(sum(pool.map((lot) => lot.washAdded)))
  const remaining = holding.lots.flatMap((all) => all.filter(isPooled))
  if (remaining.length > 0) shiftCost(holding, remaining, pool, cost, washAdded)
  return reprice(taken, cost, washAdded, moneyPlaces)
}

/**
 * Leaves the remaining lots with the rest of the pooled cost. `spreadAverageCost` divides it evenly at the next use.
 */
function shiftCost(
  holding: Holding,
  remaining: readonly Lot[],
  pool: readonly Lot[],
  cost: Decimal,
  washAdded: Decimal,
): void {
  const costLeft = sum(pool.map((lot) => lot.cost)) - cost
  const washLeft = sum(pool.map((lot) => lot.washAdded)) - washAdded
  const repriced = new Map<Lot, Lot>()
  reprice(remaining, costLeft, washLeft, holding.security.moneyPlaces).forEach((lot, index) => {
    const before = remaining[index]
    if (before !== undefined) repriced.set(before, lot)
  })
  for (const lots of holding.lots) {
    lots.forEach((lot, index) => {
      const after = repriced.get(lot)
      if (after !== undefined) lots[index] = after
    })
  }
}

function reprice(lots: readonly Lot[], cost: Decimal, washAdded: Decimal, moneyPlaces: number): Lot[] {
  const priced = lots.filter(isPooled)
  const quantities = priced.map((lot) => lot.quantity)
  const costs = allocateSigned(cost, quantities, moneyPlaces)
  const washes = allocateSigned(washAdded, quantities, moneyPlaces)
  let index = -1
  return lots.map((lot) => {
    if (!isPooled(lot)) return lot
    index += 1
    return withAmounts(lot, lot.quantity, costs[index] ?? ZERO, washes[index] ?? ZERO)
  })
}
