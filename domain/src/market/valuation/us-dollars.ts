/** Money of any currency in US dollars at the cent. */

import { type Decimal, multiply, ONE, roundTo, ZERO } from '../../decimal.ts'

export const USD = 'USD'
export const USD_PLACES = 2

/** US dollars for one unit of a currency; 0 when there is no rate. */
export function usdRate(currency: string, fxRates: ReadonlyMap<string, Decimal>): Decimal {
  return currency === USD ? ONE : (fxRates.get(currency) ?? ZERO)
}

/** An amount at a rate, rounded once. */
export function toUsd(amount: Decimal, fxRate: Decimal): Decimal {
  return fxRate === ONE ? roundTo(amount, USD_PLACES) : multiply(amount, fxRate, USD_PLACES)
}
