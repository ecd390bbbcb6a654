/** Securities with their last prices, as positions show them. */
import type { PriceType } from '@clearing/domain/market'
import { statement } from '../../../database/statement.ts'
import { correctedPrices, correctedValue } from '../corrected-facts.ts'
import { isKnown } from '../known.ts'
import { type SecurityRow, securityColumns } from '../securities.ts'
import { unitsChanged, type ViewOfChanges } from './unit-changes.ts'
import { latestYield } from './yields.ts'

export interface PriceRow {
  readonly sec_no: bigint
  readonly price: string
  readonly price_type: PriceType
  readonly priced_at: string
  /** The last closing price before the latest price. */
  readonly close_price: string | null
  /** The last yield that a fund reported. */
  readonly yield: string | null
  /** The price of the feed is from before a change of units, and was converted. */
  readonly carried?: true
}

/** A price as the feed stated it. */
interface QuotedRow {
  /** The units of the security changed after the price. */
  readonly units_changed: boolean
}

// If a security has several prices of one instant, the one nearest to the market counts. The names of the kinds sort in
// that order.
function latestPrices(view: ViewOfChanges, first: string): string {
  const { knownOn: day } = view
  return `select ${first}, latest.price, latest.price_type, latest.priced_at, closed.price as close_price, reported.yield,
     ${unitsChanged('named.sec_no', 'latest.priced_at', view)} as units_changed
   from named
   left join lateral (
     select ${correctedValue(correctedPrices, 'price', day)} as price, price_type, priced_at from clearing.price
     where price.sec_no = named.sec_no and priced_at <= $2 and ${isKnown(day)} order by priced_at desc, price_type limit 1
   ) as latest on true
   left join lateral (
     select ${correctedValue(correctedPrices, 'price', day)} as price from clearing.price
     where price.sec_no = named.sec_no and price_type = 'LastClose' and priced_at < latest.priced_at and ${isKnown(day)}
     order by priced_at desc limit 1
   ) as closed on true
   left join lateral (
     ${latestYield(day)}
   ) as reported on true`
}

/** A security with its latest price, if it has one, and the time at which its next known price begins to count. */
export type PricedSecurityRow = SecurityRow & { readonly next_priced_at: string | null } & QuotedRow &
  (PriceRow | { readonly price: null })

/**
 * Securities by number, and the underlyings of options among them, with their latest prices until `$2`. It is one
 * statement, so that the securities are found once.
 */
export const selectPricedSecurities = statement<PricedSecurityRow>(
  'select-priced-securities',
  `with given as materialized (
     select ${securityColumns} from clearing.security where sec_no = any ($1::bigint[])
   ), named as (
     select * from given
     union all
     select ${securityColumns} from clearing.security
     where symbol = any (array(select underlying from given where underlying is not null))
       and sec_no not in (select sec_no from given)
   )
   ${latestPrices({ day: 'null', knownOn: 'null' }, 'named.*, next.priced_at as next_priced_at')}
   left join lateral (
     select priced_at from clearing.price where price.sec_no = named.sec_no and priced_at > $2 order by priced_at limit 1
   ) as next on true`,
)
/**
 * The latest prices until `$2` for securities by number, among the prices known at the close of `$3` (null: of all).
 * `$4` is the day of the view.
 */
export const selectNamedPrices = statement<
  QuotedRow & (PriceRow | { readonly sec_no: bigint; readonly price: null })
>(
  'select-named-prices',
  `with named as (select * from unnest($1::bigint[]) as named (sec_no))
   ${latestPrices({ day: '$4', knownOn: '$3' }, 'named.sec_no')}`,
)
