/** For tests: one share of a stock with a value, and legs of a combination written as text. */
import { type Decimal, decimal, multiply, ONE } from '../../decimal.ts'
import type { MarginPosition } from './position.ts'

/** One marginable share. Callers change the facts that matter. */
export function shareAt(value: Decimal, changes: Partial<MarginPosition> = {}): MarginPosition {
  return {
    secNo: '1',
    symbol: 'ABC',
    description: '',
    kind: 'Equity',
    quantity: ONE,
    unitQuantity: ONE,
    price: value,
    marketValue: value,
    multiplier: ONE,
    marginable: true,
    ...changes,
  }
}

/** `abc 100 50` is stock. `C105 -1 0.40` is a call at 105, optionally with an expiration of its own. */
export function marginLeg(
  text: string,
  underlying: string,
  changes: Partial<MarginPosition> = {},
): MarginPosition {
  const [name = '', quantity = '', price = '', expiration = '2026-12-18'] = text.split(' ')
  const isStock = /^[a-z]/.test(name)
  const multiplier = isStock ? ONE : decimal('100')
  const unitQuantity = multiply(decimal(quantity), multiplier, 8)
  const symbol = isStock ? name : `${name} ${expiration}`
  const putCall = name.startsWith('C') ? 'Call' : 'Put'
  return {
    secNo: symbol,
    symbol,
    description: '',
    kind: isStock ? 'Equity' : 'Option',
    quantity: decimal(quantity),
    unitQuantity,
    price: decimal(price),
    multiplier,
    marginable: isStock,
    marketValue: multiply(unitQuantity, decimal(price), 2),
    option: isStock ? undefined : { putCall, strike: decimal(name.slice(1)), expiration, underlying: 'abc' },
    underlyingPrice: isStock ? undefined : decimal(underlying),
    ...changes,
  }
}
