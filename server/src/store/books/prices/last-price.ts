/** The last price of a security: the SQL by which every view of prices finds it. */
import type { PriceType } from '@clearing/domain/market'
import { correctedPrices, correctedValue } from '../corrected-facts.ts'
import { isKnown } from '../known.ts'

/**
 * Prices until `at`, and changes until the end of `day`; null: all. `knownOn`: facts known at that close; null for all.
 */
export interface ViewOfPrices {
  readonly at: Date | string
  readonly day: string | null
  readonly knownOn: string | null
}

/** A price as a feed stated it, with its last correction. */
export interface LastPrice {
  readonly price: string
  readonly price_type: PriceType
  readonly priced_at: string
}

/**
 * Selects the last price of a security that fulfils a condition of its time, such as `priced_at <= $2`. If a security
 * has several prices of one instant, the one nearest to the market counts: the names of the kinds sort in that order.
 */
export function lastPrice(secNo: string, until: string, knownOn: string): string {
  return `select ${correctedValue(correctedPrices, 'price', knownOn)} as price, price_type, priced_at from clearing.price
     where price.sec_no = ${secNo} and ${until} and ${isKnown(knownOn)} order by priced_at desc, price_type limit 1`
}
