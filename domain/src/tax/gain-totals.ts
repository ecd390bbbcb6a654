/**
 * Totals of gains by term, and by term in each year of closing. Sales and covers are added up as Form 1099-B states
 * them: the proceeds of a short sale are the cash that it brought, and its cost is that of the cover.
 */
import { yearOf } from '../market/calendar/day.ts'
import type { TaxedSecurity } from './covered.ts'
import { statedGain } from './form-8949.ts'
import { addGain, type GainSums, noGain, type RealizedGain, reverseGain } from './realized-gain.ts'

export interface TermTotals {
  readonly shortTerm: GainSums
  readonly longTerm: GainSums
}

const nothing: TermTotals = { shortTerm: noGain, longTerm: noGain }

export class GainTotals {
  #all = nothing
  readonly #years = new Map<number, TermTotals>()

  add(gain: RealizedGain, security: Pick<TaxedSecurity, 'kind'>): void {
    this.#add(gain, statedGain(gain, security))
  }

  subtract(gain: RealizedGain, security: Pick<TaxedSecurity, 'kind'>): void {
    this.#add(gain, reverseGain(statedGain(gain, security)))
  }

  #add({ closing }: RealizedGain, sums: GainSums): void {
    const year = yearOf(closing.closeDate)
    const term = closing.term === 'Long' ? 'longTerm' : 'shortTerm'
    this.#all = addTo(this.#all, term, sums)
    this.#years.set(year, addTo(this.#years.get(year) ?? nothing, term, sums))
  }

  totals(): TermTotals & { readonly years: readonly (TermTotals & { readonly year: number })[] } {
    const years = [...this.#years].sort(([a], [b]) => a - b).map(([year, totals]) => ({ year, ...totals }))
    return { ...this.#all, years }
  }
}

function addTo(totals: TermTotals, term: keyof TermTotals, sums: GainSums): TermTotals {
  return { ...totals, [term]: addGain(totals[term], sums) }
}
