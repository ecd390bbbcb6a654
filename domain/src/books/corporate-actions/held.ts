/** The position that a corporate action works on, and the movement that it reports. */
import { type Decimal, renderDecimal, ZERO } from '../../decimal.ts'
import type { ActivityLine, Security } from '../activity.ts'
import { agrees } from '../agrees.ts'
import { type Effects, raiseBreak } from '../effects.ts'
import { type Books, type Holding, lotsOf, methodOf, quantityHeld, spreadAverageCost } from '../holding.ts'
import type { Lot } from '../lots.ts'

export interface Held {
  readonly holding: Holding
  /** The open lots of the line's account type. The array is changed in place. */
  readonly lots: Lot[]
  readonly quantity: Decimal
}

/** The position that a line acts on. With average cost, each lot has its share of the pooled cost. */
export function positionActedOn(books: Books, line: ActivityLine, effects: Effects): Held {
  const holding = books.holdingOf(securityOf(line))
  if (methodOf(holding.security, books.lotMethod) === 'Average') spreadAverageCost(holding)
  const lots = lotsOf(holding, line.acctType)
  if (lots.length === 0)
    raiseBreak(
      effects,
      'NothingHeld',
      line,
      ZERO,
      'Nothing was held when this took effect. Load the missing purchase or transfer, or cancel the line.',
    )
  return { holding, lots, quantity: quantityHeld(lots) }
}

export function securityOf(line: ActivityLine): Security {
  if (line.security === undefined) throw new Error(`line ${line.externalId} names no security`)
  return line.security
}

export function securityReceived(line: ActivityLine): Security {
  if (line.toSecurity === undefined) throw new Error(`line ${line.externalId} names no security received`)
  return line.toSecurity
}

/** Checks the sign of a netAmount that an issuer pays: a long position receives it, a short position pays it. */
export function checkSign(effects: Effects, line: ActivityLine, held: Decimal): void {
  const { netAmount = ZERO } = line
  if (netAmount === ZERO || held === ZERO || netAmount < 0n === held < 0n) return
  const [side, way] = held < 0n ? ['short', 'pays'] : ['long', 'receives']
  raiseBreak(
    effects,
    'AmountDisagrees',
    line,
    held,
    `The position is ${side} and ${way} the netAmount, whose sign contradicts that. Correct the sign, or load the missing trade.`,
  )
}

/** Checks a netAmount that stands beside cashPerShare against the cash that the line comes to for the position. */
export function checkCash(effects: Effects, line: ActivityLine, security: Security, cash: Decimal): void {
  const { cashPerShare, netAmount } = line
  if (cashPerShare === undefined || netAmount === undefined) return
  if (agrees(netAmount, cash, security.moneyPlaces)) return
  raiseBreak(
    effects,
    'CashDisagrees',
    line,
    ZERO,
    `netAmount is ${renderDecimal(netAmount, 2)}, and cashPerShare with cash in lieu comes to ${renderDecimal(cash, 2)} for the shares held. Correct the line that is wrong: cancel and rebill this one, or load the missing trade.`,
  )
}

/** Records what a line moved: shares of a security, cash, or both. */
export function recordMovement(
  effects: Effects,
  line: ActivityLine,
  security: Security,
  quantity: Decimal,
  cash: Decimal,
): void {
  if (quantity === ZERO && cash === ZERO) return
  effects.movements.push({
    lineId: line.externalId,
    acctType: line.acctType,
    securityKey: quantity === ZERO ? undefined : security.key,
    quantity,
    currency: line.currency,
    cash,
  })
}

/** Replaces the lots of an account type. */
export function replaceLots(lots: Lot[], by: readonly Lot[]): void {
  lots.length = 0
  for (const lot of by) lots.push(lot)
}
