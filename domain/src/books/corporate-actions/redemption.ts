/**
 * Maturities, redemptions and factor changes: repayment of principal. Accrued interest is never part of the proceeds.
 * Books 3.
 */
import { abs, type Decimal, multiplyAll, multiplyDivide, ZERO } from '../../decimal.ts'
import type { ActivityLine, Security } from '../activity.ts'
import type { Effects } from '../effects.ts'
import { closeLot, exchange } from '../exchange.ts'
import { allocateSigned, type Books } from '../holding.ts'
import { checkSign, positionActedOn, recordMovement, securityOf } from './held.ts'

/** Closes the quantity named, or the whole position, for netAmount, at the price named, or at par. */
export function redeem(books: Books, line: ActivityLine, effects: Effects): void {
  const { holding, quantity: held } = positionActedOn(books, line, effects)
  const { security } = holding
  checkSign(effects, line, held)
  const magnitude = line.quantity === ZERO ? abs(held) : line.quantity
  const short = held < 0n
  const net = line.netAmount === undefined ? principal(line, security, magnitude) : abs(line.netAmount)
  const cash = short ? -net : net
  const interest = short ? -line.interest : line.interest
  const change = short ? magnitude : -magnitude
  const kind = line.transType === 'Maturity' ? 'Maturity' : 'Redemption'
  const closing = { kind, change, consideration: cash - interest, washes: false, opensShort: false } as const
  exchange(holding, line, closing, books.lotMethod, effects)
  recordMovement(effects, line, security, change, cash)
}

function principal(line: ActivityLine, security: Security, quantity: Decimal): Decimal {
  const { multiplier, priceDivisor, moneyPlaces } = security
  const price = line.price ?? priceDivisor
  const value = multiplyAll([quantity, price, multiplier], [priceDivisor], moneyPlaces)
  return value + line.interest - line.commission - line.secFee
}

/**
 * A pool repays the part of its face by which the factor fell; the ratio is new factor : old factor. The same part of
 * the remaining cost is set against netAmount, or against that face at par. The quantity (original face) does not
 * change.
 */
export function changeFactor(books: Books, line: ActivityLine, effects: Effects): void {
  const { holding, lots, quantity } = positionActedOn(books, line, effects)
  const { multiplier, moneyPlaces } = securityOf(line)
  checkSign(effects, line, quantity)
  const { received: factor, held: before } = line.ratio ?? { received: ZERO, held: ZERO }
  const repaid = before > factor ? before - factor : ZERO
  const atPar = multiplyAll([quantity, multiplier, repaid], [], moneyPlaces)
  const interest = quantity < 0n ? -line.interest : line.interest
  const cash =
    line.netAmount === undefined ? atPar + interest : quantity < 0n ? -abs(line.netAmount) : line.netAmount
  recordMovement(effects, line, holding.security, ZERO, cash)
  if (quantity === ZERO || repaid === ZERO) return
  const parts = allocateSigned(
    cash - interest,
    lots.map((lot) => lot.quantity),
    moneyPlaces,
  )
  lots.forEach((lot, index) => {
    const cost = multiplyDivide(lot.cost, repaid, before, moneyPlaces)
    const washAdded = multiplyDivide(lot.washAdded, repaid, before, moneyPlaces)
    const proceeds = parts[index] ?? ZERO
    closeLot(holding, line, { kind: 'Principal', lot, quantity: ZERO, proceeds, cost, washAdded }, effects)
    lots[index] = { ...lot, cost: lot.cost - cost, washAdded: lot.washAdded - washAdded }
  })
}
