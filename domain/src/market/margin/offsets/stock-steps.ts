/**
 * Combinations of stock with options and with stock: the same security long and short, a convertible, covered calls and
 * puts, protective options, collars, conversions and reverse conversions (FINRA Rule 4210(e)(1), (f)(2)(H)).
 */

import { type Decimal, decimal, max, min, multiply, multiplyDivide, ONE, ZERO } from '../../../decimal.ts'
import { isShort } from '../position.ts'
import {
  addRequirement,
  compare,
  type Holdings,
  type LongOption,
  type ShortOption,
  type Stock,
  UNIT_PLACES,
  useStock,
} from './holdings.ts'

/**
 * FINRA Rule 4210(e)(1), in the words of NYSE Rule 431(e)(1), which it took over: percent of the market value of the
 * long security.
 */
const SAME_SECURITY_PERCENT = decimal('5')
const CONVERTIBLE_PERCENT = decimal('10')
/**
 * FINRA Rule 4210(f)(2)(H)(v): percent of the exercise price. Its own text was not seen printed. For long calls against
 * short stock, the help page "Protective Call" of tastytrade prints it with the amount out of the money and the limit.
 */
const EXERCISE_PERCENT = decimal('10')
const HUNDRED = decimal('100')

function percentOf(amount: Decimal, percent: Decimal): Decimal {
  return multiplyDivide(amount, percent, HUNDRED, UNIT_PLACES)
}

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
  const required = percentOf(multiply(units, long.position.price, UNIT_PLACES), percent)
  const initial = long.ratio === undefined ? { initial: required } : {}
  useStock(long, units, { ...initial, law: required, house: required })
  useStock(short, shares, { initial: ZERO, law: ZERO, house: ZERO })
}

/**
 * A written call is covered by stock held, a written put by stock sold short. The option requires nothing, and the
 * stock is valued at no better than the exercise price: what the option is in the money counts.
 */
export function coverWithStock({ shorts, stocks }: Holdings): void {
  for (const short of shorts) {
    for (const stock of coversOf(short, stocks)) {
      const contracts = wholeContracts(stock, short)
      cover(short, contracts)
      stock.left -= multiply(contracts, short.position.multiplier, UNIT_PLACES)
    }
  }
}

function coversOf(short: ShortOption, stocks: readonly Stock[]): readonly Stock[] {
  const isPut = short.contract.putCall === 'Put'
  return stocks.filter(({ position, ratio }) => isShort(position) === isPut && ratio === undefined)
}

function wholeContracts(stock: Stock, { left, position: { multiplier } }: ShortOption | LongOption): Decimal {
  return multiplier > ZERO ? min(left, (stock.left / multiplier) * ONE) : ZERO
}

function cover(short: ShortOption, contracts: Decimal): void {
  short.left -= contracts
  addRequirement(short, contracts, short.inMoney)
}

/**
 * Collars and conversions: stock held with a written call and a long put of the same expiration whose exercise price is
 * not above the call's. Reverse conversions: stock sold short with a written put and a long call of the same terms.
 */
export function takeCollars({ shorts, longs, stocks }: Holdings): void {
  for (const short of shorts) {
    for (const stock of coversOf(short, stocks)) {
      const fitting = longs
        .filter((long) => isCollar(short, long))
        .map((long) => ({ long, required: collarRequires(short, long, stock) }))
        .sort((a, b) => compare(a.required.house, b.required.house))
      for (const { long, required } of fitting) {
        const contracts = min(long.left, wholeContracts(stock, short))
        const units = multiply(contracts, short.position.multiplier, UNIT_PLACES)
        cover(short, contracts)
        long.left -= contracts
        useStock(stock, units, {
          law: multiply(required.law, units, UNIT_PLACES),
          house: multiply(required.house, units, UNIT_PLACES),
        })
      }
    }
  }
}

function isCollar({ contract, position }: ShortOption, long: LongOption): boolean {
  if (
    long.contract.putCall === contract.putCall ||
    long.contract.expiration !== contract.expiration ||
    long.position.multiplier !== position.multiplier
  )
    return false
  return contract.putCall === 'Call'
    ? long.contract.strike <= contract.strike
    : long.contract.strike === contract.strike
}

interface PerUnit {
  readonly law: Decimal
  readonly house: Decimal
}

function collarRequires({ contract }: ShortOption, long: LongOption, stock: Stock): PerUnit {
  if (long.contract.strike === contract.strike) {
    const required = percentOf(contract.strike, EXERCISE_PERCENT)
    return { law: required, house: required }
  }
  const ofPut = protectedBy(long, stock)
  const value = max(stock.position.marketValue, 1n)
  // At most the rate of the stock on the exercise price of the call, where the stock would be called away.
  const rateOf = (needs: Decimal) => multiplyDivide(needs, contract.strike, value, UNIT_PLACES)
  return { law: min(ofPut, rateOf(stock.needs.law)), house: min(ofPut, rateOf(stock.needs.house)) }
}

/** For one unit of stock: 10 percent of the exercise price and what the option is out of the money. */
function protectedBy({ contract: { strike, putCall } }: LongOption, { position: { price } }: Stock): Decimal {
  const outOfMoney = max(ZERO, putCall === 'Put' ? price - strike : strike - price)
  return percentOf(strike, EXERCISE_PERCENT) + outOfMoney
}

/**
 * A long put limits the loss on stock held, a long call that on stock sold short: the lesser of both requirements
 * counts.
 */
export function protectStocks({ longs, stocks }: Holdings): void {
  for (const stock of stocks) {
    if (stock.ratio !== undefined) continue
    const side = isShort(stock.position) ? 'Call' : 'Put'
    const fitting = longs
      .filter(({ contract, left }) => contract.putCall === side && left > ZERO)
      .map((long) => ({ long, required: protectedBy(long, stock) }))
      .sort((a, b) => compare(a.required, b.required))
    for (const { long, required } of fitting) {
      const contracts = wholeContracts(stock, long)
      if (contracts === ZERO) continue
      long.left -= contracts
      const units = multiply(contracts, long.position.multiplier, UNIT_PLACES)
      const whole = multiply(required, units, UNIT_PLACES)
      useStock(stock, units, { law: whole, house: whole })
    }
  }
}
