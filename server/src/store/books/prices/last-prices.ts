/** The last prices of securities before given days. */
import type { PriceType } from '@clearing/domain/market'
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { decimalOfColumn } from '../bulk.ts'
import { easternDay } from '../calendar.ts'
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

interface QuoteRow {
  readonly place: bigint
  readonly price: string
  readonly price_type: PriceType
  readonly priced_at: string
}

// The last price until the time, and before the day if there is one.
const selectLastPrices = statement<QuoteRow>(
  'select-last-prices-before-days',
  `select place, latest.* from unnest($1::bigint[], $2::date[]) with ordinality as named (sec_no, day, place)
   cross join lateral (
     select ${correctedValue(correctedPrices, 'price', '$4')} as price, price_type, priced_at from clearing.price
     where price.sec_no = named.sec_no and priced_at <= $3 and ${isKnown('$4')}
       and (named.day is null or priced_at < named.day::timestamp at time zone 'America/New_York')
     order by priced_at desc, price_type limit 1
   ) as latest`,
)

export interface Quoted {
  readonly price: bigint
  readonly priceType: PriceType
  readonly pricedAt: string
  readonly day: string
}

/** A security, and the day before which its price is read; undefined for its last price. */
export type PriceWanted = readonly [secNo: string, before: string | undefined]

/** The last prices, by `nameOfWanted`. */
export async function readLastPrices(
  tx: Tx,
  wanted: readonly PriceWanted[],
  { at, knownOn }: ViewOfPrices,
): Promise<Map<string, Quoted>> {
  const secNos = wanted.map(([secNo]) => secNo)
  const days = wanted.map(([, day]) => day ?? null)
  const quotes = new Map<string, Quoted>()
  for (const { place, price, price_type, priced_at } of await tx.rows(selectLastPrices, [
    secNos,
    days,
    at,
    knownOn,
  ])) {
    const [secNo, day] = wanted[Number(place) - 1] as (typeof wanted)[number]
    quotes.set(nameOfWanted([secNo, day]), {
      price: decimalOfColumn(price),
      priceType: price_type,
      pricedAt: priced_at,
      day: easternDay(new Date(priced_at)),
    })
  }
  return quotes
}

export function nameOfWanted([secNo, before]: PriceWanted): string {
  return `${secNo} ${before ?? ''}`
}
