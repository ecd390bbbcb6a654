/** Figures of statements as texts: thousands separated, negative amounts with a minus sign. */
import { type Decimal, renderDecimal } from '@clearing/domain/decimal'

export function money(amount: Decimal): string {
  return grouped(renderDecimal(amount, 2))
}

/** Up to ten places, without zeros at the end. */
export function figure(amount: Decimal): string {
  return grouped(renderDecimal(amount))
}

/** A figure of the activity record; empty if the record has none. */
export function figureOf(text: string): string {
  return grouped(text)
}

function grouped(text: string): string {
  const [whole = '', places] = text.split('.')
  const separated = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return places === undefined ? separated : `${separated}.${places}`
}
