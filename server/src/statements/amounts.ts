/** Figures of statements as texts: thousands separated, negative amounts with a minus sign. */
import { type Decimal, decimal, renderDecimal, roundTo } from '@clearing/domain/decimal'
import { findCurrency } from '@clearing/domain/market'

export function money(amount: Decimal): string {
  return grouped(renderDecimal(amount, 2))
}

/** Up to ten places, without zeros at the end. */
export function figure(amount: Decimal): string {
  return grouped(renderDecimal(amount))
}

/** A quantity or price of the activity record, which has the digits of the feed; empty if the record has none. */
export function figureOf(text: string): string {
  return text === '' ? '' : figure(decimal(text))
}

const usualPlaces = 2

/** An amount in a currency, with the digits of its minor unit. */
export function moneyIn(amount: Decimal, currency: string): string {
  const places = findCurrency(currency)?.places ?? usualPlaces
  return grouped(renderDecimal(roundTo(amount, places), places))
}

/** An amount of the activity record. */
export function moneyOf(text: string, currency: string): string {
  return text === '' ? '' : moneyIn(decimal(text), currency)
}

function grouped(text: string): string {
  const [whole = '', places] = text.split('.')
  const separated = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return places === undefined ? separated : `${separated}.${places}`
}
