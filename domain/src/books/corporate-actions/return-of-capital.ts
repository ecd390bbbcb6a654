/**
 * Returns of capital: cash that reduces the cost of the lots held on the record date, but not below zero. The excess is
 * a gain. Books 3; 26 USC 301(c).
 */
import { abs, type Decimal, min, multiply, ZERO } from '../../decimal.ts'
import type { ActivityLine } from '../activity.ts'
import type { Effects } from '../effects.ts'
import { closeLot, noCost } from '../exchange.ts'
import { allocateSigned, type Books } from '../holding.ts'
import { washWithin } from '../lots.ts'
import { checkCash, checkSign, positionActedOn, recordMovement } from './held.ts'

/**
 * Divides the cash (netAmount, or cashPerShare × position less commission and fees) among the lots by quantity. A short
 * position pays it.
 */
export function returnCapital(books: Books, line: ActivityLine, effects: Effects): void {
  const { holding, lots, quantity } = positionActedOn(books, line, effects)
  const { moneyPlaces } = holding.security
  checkSign(effects, line, quantity)
  const byShare = cashByShare(line, quantity, moneyPlaces)
  const stated = line.netAmount ?? byShare
  if (quantity !== ZERO) checkCash(effects, line, holding.security, byShare)
  const cash = quantity < 0n ? -abs(stated) : stated
  recordMovement(effects, line, holding.security, ZERO, cash)
  if (quantity === ZERO) return
  const parts = allocateSigned(
    cash,
    lots.map((lot) => lot.quantity),
    moneyPlaces,
  )
  lots.forEach((lot, index) => {
    const part = parts[index] ?? ZERO
    if (!lot.costKnown) return
    const magnitude = min(abs(lot.cost), abs(part))
    const used = part < 0n ? -magnitude : magnitude
    const cost = lot.cost - used
    lots[index] = { ...lot, cost, washAdded: washWithin(lot.washAdded, cost) }
    const beyond = part - used
    if (beyond !== ZERO)
      closeLot(holding, line, { kind: 'ReturnOfCapital', lot, ...noCost, proceeds: beyond }, effects)
  })
}

/** cashPerShare is before commission and fees, netAmount after them. A short position pays both. */
function cashByShare(line: ActivityLine, quantity: Decimal, moneyPlaces: number): Decimal {
  if (line.cashPerShare === undefined) return ZERO
  const cash = multiply(line.cashPerShare, quantity, moneyPlaces) - line.commission - line.secFee
  return quantity >= 0n && cash < 0n ? ZERO : cash
}
