/** Prices of the sandbox: the securities with a price, and changes of all prices by a percentage. */
import { type Decimal, decimal, renderDecimal } from '@clearing/domain/decimal'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { readCarriedPrices } from './books/prices/carried-prices.ts'
import { lastPrice } from './books/prices/last-price.ts'
import { holdBusinessDay, marketDayOf, openDateOr } from './business-day.ts'

const selectTraded = statement<{ symbol: string; price: string }>(
  'select-traded-stocks',
  `select symbol, latest.price from clearing.security cross join lateral (
     ${lastPrice('security.sec_no', 'priced_at <= $1', 'null')}
   ) as latest
   where symbol is not null and currency = 'USD' and put_call is null and coupon_rate is null and not money_market
     and price_divisor = 1 and latest.price > 0
   order by symbol limit 100`,
)

/** Stocks in US dollars with a price, by symbol. */
export async function readTradedStocks(tx: Tx, now: Date): Promise<{ symbol: string; price: Decimal }[]> {
  return (await tx.rows(selectTraded, [now])).map(({ symbol, price }) => ({ symbol, price: decimal(price) }))
}

const selectChanged = statement<{ sec_no: bigint }>(
  'select-securities-with-changed-units',
  'select distinct to_sec_no as sec_no from clearing.unit_change where cancelled_on is null',
)

export interface MovedPrice {
  readonly symbol: string
  readonly before: string
  readonly after: string
  /** False if a closed day knows a price of this instant, or if it was corrected. */
  readonly written: boolean
}

// While the sandbox's clock is frozen, the last change at an instant counts until the business day is closed.
const movePriced = statement<MovedPrice>(
  'move-prices',
  `with moved as (
     select sec_no, coalesce(symbol, cusip, isin, sedol) as symbol, latest.price as before,
       least(greatest(round(latest.price * (1 + $2::numeric / 100), 4), 0.0001), 999999999999999999.9999) as after
     from clearing.security cross join lateral (
       select coalesce(carried.price, quoted.price) as price
       from (${lastPrice('security.sec_no', 'priced_at <= $1', 'null')}) as quoted
       full join (
         select price from unnest($5::bigint[], $6::numeric[]) as carried (sec_no, price) where carried.sec_no = security.sec_no
       ) as carried on true
     ) as latest
     where not money_market and latest.price > 0 and ($3::text[] is null or symbol = any ($3))
   ), written as (
     insert into clearing.price as known (sec_no, priced_at, price_type, price, entered_on)
     select sec_no, $1, 'CurrentSnap', after, ${openDateOr('$4')} from moved
     on conflict (sec_no, priced_at, price_type) do update set price = excluded.price
       where known.entered_on = excluded.entered_on and not exists (
         select from clearing.price_correction as correction where correction.sec_no = known.sec_no
           and correction.priced_at = known.priced_at and correction.price_type = known.price_type)
     returning sec_no
   )
   select symbol, trim_scale(before)::text as before, trim_scale(after)::text as after, sec_no in (select sec_no from written) as written
   from moved order by symbol`,
)

/**
 * Gives each priced security a new price at `now`, limited to the range of prices. `symbols` is null for all. A price
 * from before a change of units moves in the units after it.
 */
export async function movePrices(
  tx: Tx,
  now: Date,
  percent: string,
  symbols: readonly string[] | null,
): Promise<MovedPrice[]> {
  holdBusinessDay(tx)
  const changed = (await tx.rows(selectChanged)).map(({ sec_no }) => String(sec_no))
  const carried = [...(await readCarriedPrices(tx, changed, { at: now, day: null, knownOn: null }))]
  const secNos = carried.map(([secNo]) => secNo)
  const prices = carried.map(([, { price }]) => renderDecimal(price))
  return tx.rows(movePriced, [now, percent, symbols, marketDayOf(now), secNos, prices])
}
