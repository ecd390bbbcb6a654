/** The house's add-on for concentrated positions (the setting `MARGIN_CONCENTRATION`). */
import { parseDecimal } from '@clearing/domain/decimal'
import type { ConcentrationTier } from '@clearing/domain/market'

const shareLimits = { places: 2, integerDigits: 4, signed: false } as const
const percentLimits = { places: 2, integerDigits: 3, signed: false } as const

/**
 * Reads `60=10,100=25`. A position of at least 60 percent of the account's equity adds 10 percentage points
 * to its maintenance rate, and a position of at least 100 percent adds 25. Shares rise. Undefined for any
 * other text.
 */
export function parseConcentration(text: string): readonly ConcentrationTier[] | undefined {
  const tiers: ConcentrationTier[] = []
  for (const part of text.split(',')) {
    const [first = '', second = '', ...others] = part.trim().split('=')
    const sharePercent = parseDecimal(first, shareLimits)
    const addOnPercent = parseDecimal(second, percentLimits)
    if (typeof sharePercent === 'string' || typeof addOnPercent === 'string' || others.length > 0)
      return undefined
    if (sharePercent <= (tiers.at(-1)?.sharePercent ?? 0n)) return undefined
    tiers.push({ sharePercent, addOnPercent })
  }
  return tiers
}
