/** Figures of statements as texts: thousands separated, negative amounts with a minus sign. */
import { type Decimal, renderDecimal, roundTo } from '@clearing/domain/decimal'
import { findCurrency } from '@clearing/domain/market'

export function money(amount: Decimal): string {
  return grouped(renderDecimal(amount, 2))
}

/** Up to ten places, without zeros at the end. */
export function figure(amount: Decimal): string {
  return grouped(renderDecimal(amount))
}

/** A quantity or price of a line; empty if the line has none. */
export function figureOf(amount: Decimal | undefined): string {
  return amount === undefined ? '' : figure(amount)
}

const usualPlaces = 2

/** An amount in a currency, with the digits of its minor unit. */
export function moneyIn(amount: Decimal, currency: string): string {
  const places = findCurrency(currency)?.places ?? usualPlaces
  return grouped(renderDecimal(roundTo(amount, places), places))
}

/** An amount of a line; empty if the line has none. */
export function moneyOf(amount: Decimal | undefined, currency: string): string {
  return amount === undefined ? '' : moneyIn(amount, currency)
}

function grouped(text: string): string {
  const [whole = '', places] = text.split('.')
  const separated = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return places === undefined ? separated : `${separated}.${places}`
}
