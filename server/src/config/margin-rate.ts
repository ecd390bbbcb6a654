/** The interest that the firm charges on margin debits: rates with their first days (the setting `MARGIN_RATES`). */
import { type Decimal, decimal, parseDecimal } from '@clearing/domain/decimal'
import { parseRangeDate } from '@clearing/protocol'

export interface MarginRate {
  /** The first day of the rate. */
  readonly from: string
  /** Percent a year, over 360 days. */
  readonly percent: Decimal
}

const always = '1900-01-01'

export const defaultMarginRates: readonly MarginRate[] = [{ from: always, percent: decimal('8.5') }]

const percentLimits = { places: 4, integerDigits: 2, signed: false } as const

/**
 * Reads `8.5` or `8.5,2026-07-01=8.25`. The first rate has no day and applies before all others. Undefined
 * for any other text.
 */
export function parseMarginRates(text: string): readonly MarginRate[] | undefined {
  const rates: MarginRate[] = []
  for (const part of text.split(',')) {
    const [first = '', second] = part.trim().split('=')
    const from = second === undefined ? always : parseRangeDate(first)
    const percent = parseDecimal(second ?? first, percentLimits)
    if (from === undefined || typeof percent === 'string') return undefined
    if (from <= (rates.at(-1)?.from ?? '')) return undefined
    rates.push({ from, percent })
  }
  return rates[0]?.from === always ? rates : undefined
}

/** Returns the rate of a day. */
export function marginRateOn(rates: readonly MarginRate[], day: string): Decimal {
  const rate = rates.findLast(({ from }) => from <= day)
  if (rate === undefined) throw new Error(`there is no margin rate for ${day}`)
  return rate.percent
}
