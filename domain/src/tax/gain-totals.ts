/** Totals of gains by term, and by term in each year of closing. */
import { yearOf } from '../market/calendar/day.ts'
import { addGain, type GainSums, noGain, type RealizedGain } from './realized-gain.ts'

interface TermTotals {
  readonly shortTerm: GainSums
  readonly longTerm: GainSums
}

const nothing: TermTotals = { shortTerm: noGain, longTerm: noGain }

export class GainTotals {
  #all = nothing
  readonly #years = new Map<number, TermTotals>()

  add(gain: RealizedGain): void {
    const year = yearOf(gain.closing.closeDate)
    this.#all = addTo(this.#all, gain)
    this.#years.set(year, addTo(this.#years.get(year) ?? nothing, gain))
  }

  totals(): TermTotals & { readonly years: readonly (TermTotals & { readonly year: number })[] } {
    const years = [...this.#years].sort(([a], [b]) => a - b).map(([year, totals]) => ({ year, ...totals }))
    return { ...this.#all, years }
  }
}

function addTo(totals: TermTotals, gain: RealizedGain): TermTotals {
  const term = gain.closing.term === 'Long' ? 'longTerm' : 'shortTerm'
  return { ...totals, [term]: addGain(totals[term], gain) }
}
