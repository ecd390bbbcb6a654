/** The same security long and short, and a convertible with the stock sold short (FINRA Rule 4210(e)(1)). */

import { type Decimal, decimal, min, multiply, multiplyDivide, ONE, ZERO } from '../../../decimal.ts'
import { isShort } from '../position.ts'
import { type Holdings, percentOfUnit, type Stock, UNIT_PLACES, useStock } from './holdings.ts'

/**
 * FINRA Rule 4210(e)(1), in the words of NYSE Rule 431(e)(1), which it took over: percent of the market value of the
 * long security.
 */
const SAME_SECURITY_PERCENT = decimal('5')
const CONVERTIBLE_PERCENT = decimal('10')

/**
 * Pairs the same security long and short, then a convertible with the short stock into which it converts. Regulation T
 * treats the former as a sale of the long position (12 CFR 220.4(b)(2)). Of the latter it requires nothing for the
 * short stock beyond the proceeds, and the usual margin of the convertible (220.12(c)(2)).
 */
export function pairStocks({ stocks }: Holdings): void {
  for (const percent of [SAME_SECURITY_PERCENT, CONVERTIBLE_PERCENT]) {
    for (const long of stocks) {
      if (isShort(long.position) || (long.ratio !== undefined) !== (percent === CONVERTIBLE_PERCENT)) continue
      for (const short of stocks) {
        if (!isShort(short.position) || short.ratio !== undefined) continue
        if (long.ratio === undefined && long.position.secNo !== short.position.secNo) continue
        pair(long, short, percent)
      }
    }
  }
}

function pair(long: Stock, short: Stock, percent: Decimal): void {
  const ratio = long.ratio ?? ONE
  const shares = min(multiply(long.left, ratio, UNIT_PLACES), short.left)
  const units = multiplyDivide(shares, ONE, ratio, UNIT_PLACES)
  if (units === ZERO) return
  const required = percentOfUnit(multiply(units, long.position.price, UNIT_PLACES), percent)
  const initial = long.ratio === undefined ? { initial: required } : {}
  useStock(long, units, { ...initial, law: required, house: required })
  useStock(short, shares, { initial: ZERO, law: ZERO, house: ZERO })
}
