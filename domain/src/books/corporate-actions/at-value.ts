/**
 * Shares that a taxable action delivers: their cost is their value on its day, and they are held from then on. 26 USC
 * 1001(b), 1012(a) and 301(d).
 */
import { abs, type Decimal, multiplyAll } from '../../decimal.ts'
import type { ActivityLine } from '../activity.ts'
import type { Lot } from '../lots.ts'
import { lotFromLine } from '../receive.ts'
import { securityReceived } from './held.ts'

/** The value of shares received at the price of the line, with the sign of their quantity. */
export function valueReceived(line: ActivityLine, quantity: Decimal): Decimal {
  if (line.price === undefined) throw new Error(`taxable line ${line.externalId} has no price`)
  const { multiplier, priceDivisor, moneyPlaces } = securityReceived(line)
  const value = multiplyAll([line.price, abs(quantity), multiplier], [priceDivisor], moneyPlaces)
  return quantity < 0n ? -value : value
}

/** The lot of shares that a holder receives as a dividend, or that a short position owes. */
export function lotDistributed(line: ActivityLine, quantity: Decimal): Lot {
  return lotFromLine({ ...line, openDate: undefined, cost: valueReceived(line, quantity) }, quantity)
}
