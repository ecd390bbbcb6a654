/**
 * Exercise, assignment and expiration of options. The premium becomes part of the cost or of the proceeds of the
 * shares. IRS Publication 550, Options.
 */
import { abs, type Decimal, multiply, multiplyAll, sum, ZERO } from '../../decimal.ts'
import type { ActivityLine } from '../activity.ts'
import { type Effects, raiseBreak } from '../effects.ts'
import { closeLot, exchange, isNamed, noticeUnknownLot } from '../exchange.ts'
import { type Books, type Holding, lotsOf, methodOf } from '../holding.ts'
import { type Lot, sideOf } from '../lots.ts'
import { relieveLots } from '../relief.ts'
import { positionActedOn, recordMovement, securityOf, securityReceived } from './held.ts'

/** Closes the position in an option, or the quantity named, for nothing or for the cash in lieu. */
export function expire(books: Books, line: ActivityLine, effects: Effects): void {
  const { holding, quantity: held } = positionActedOn(books, line, effects)
  const magnitude = line.quantity === ZERO ? abs(held) : line.quantity
  const change = held < 0n ? magnitude : -magnitude
  const inLieu = line.cashInLieu ?? ZERO
  const cash = held < 0n ? -inLieu : inLieu
  const closing = {
    kind: 'Expiration',
    change,
    consideration: cash,
    washes: true,
    opensShort: false,
  } as const
  exchange(holding, line, closing, books.lotMethod, effects)
  recordMovement(effects, line, holding.security, change, cash)
}

/**
 * Exercise of a long option, or assignment of a short one. If the underlying is given as toSecurity, shares change
 * hands at the strike: an exercised call or an assigned put buys them at strike + cost of the option; an exercised put
 * or an assigned call sells them at strike - cost of the option. The cost of a short option is negative: the premium
 * received. The option itself has no gain. Without toSecurity the option settles in cash: it closes for netAmount.
 * `lotId` names a lot of the option or one of the shares.
 */
export function deliverUnderlying(books: Books, line: ActivityLine, effects: Effects): void {
  const { holding } = positionActedOn(books, line, effects)
  const kind = line.transType === 'Assignment' ? 'Assignment' : 'Exercise'
  const change = kind === 'Exercise' ? -line.quantity : line.quantity
  if (line.toSecurity === undefined) {
    const cash = line.netAmount ?? ZERO
    const settled = { kind, change, consideration: cash, washes: true, opensShort: false } as const
    exchange(holding, line, settled, books.lotMethod, effects)
    recordMovement(effects, line, holding.security, change, cash)
    return
  }
  const taken = takeOption(books, line, change, kind, effects)
  const premium = sum(taken.map((lot) => lot.cost))
  const underlying = books.holdingOf(securityReceived(line))
  const { shares, cash } = sharesDelivered(line)
  const delivery = {
    kind: shares < 0n ? 'Sale' : 'Cover',
    change: shares,
    washes: true,
    // In the short account, delivering what is not held is a short sale.
    opensShort: line.acctType === 3,
    consideration: cash - premium,
    lotElsewhere: taken.some((lot) => isNamed(lot, line)) || !closesPosition(underlying, line, shares),
  } as const
  if (delivery.lotElsewhere) noticeUnknownLot(line, taken, effects)
  exchange(underlying, line, delivery, books.lotMethod, effects)
  recordMovement(effects, line, holding.security, change, ZERO)
  recordMovement(effects, line, underlying.security, shares, cash)
}

function closesPosition(holding: Holding, { acctType }: ActivityLine, change: Decimal): boolean {
  const first = lotsOf(holding, acctType)[0]
  return first !== undefined && sideOf(first.quantity) !== sideOf(change)
}

/**
 * Closes the lots of the option at their cost and returns them. A quantity beyond the position opens a lot without
 * premium and raises a break.
 */
function takeOption(
  books: Books,
  line: ActivityLine,
  change: Decimal,
  kind: 'Exercise' | 'Assignment',
  effects: Effects,
): readonly Lot[] {
  const holding = books.holdingOf(securityOf(line))
  let taken: readonly Lot[] = []
  if (closesPosition(holding, line, change)) {
    const method = methodOf(holding.security, books.lotMethod)
    taken = relieveLots(holding, line.acctType, abs(change), method, line.lotId)
    for (const lot of taken) {
      const { quantity, cost, washAdded } = lot
      closeLot(holding, line, { kind, lot, quantity, proceeds: cost, cost, washAdded }, effects)
    }
  }
  const left = change + sum(taken.map((lot) => lot.quantity))
  if (left !== ZERO) {
    raiseBreak(
      effects,
      'Oversold',
      line,
      left,
      'More was exercised or assigned than was held. Load the missing trade of the option, or cancel the line.',
    )
    const opening = { kind, change: left, consideration: ZERO, washes: false, opensShort: true } as const
    exchange(holding, line, opening, books.lotMethod, effects)
  }
  return taken
}

/** Shares of the underlying and the cash paid for them at the strike, with commission and fees. Both are signed. */
function sharesDelivered(line: ActivityLine): { shares: Decimal; cash: Decimal } {
  const { option, multiplier } = securityOf(line)
  if (option === undefined) throw new Error(`line ${line.externalId} is not of an option`)
  const buys = (option.putCall === 'Call') === (line.transType === 'Exercise')
  const contracts = multiply(line.quantity, multiplier, 8)
  const { multiplier: unit, priceDivisor, moneyPlaces } = securityReceived(line)
  const value = multiplyAll([contracts, option.strike, unit], [priceDivisor], moneyPlaces)
  const fees = line.commission + line.secFee
  if (line.netAmount !== undefined) {
    return { shares: buys ? contracts : -contracts, cash: line.netAmount }
  }
  return buys ? { shares: contracts, cash: -value - fees } : { shares: -contracts, cash: value - fees }
}
