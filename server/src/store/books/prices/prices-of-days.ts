/** Prices for trades of a day. */
import type { Decimal } from '@clearing/domain/decimal'
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { decimalOfColumn } from '../bulk.ts'
import { carryInto, type PricedRow } from './carried-prices.ts'
import { lastPrice } from './last-price.ts'
import { changeCounts, unitsChanged } from './unit-changes.ts'

interface PricedDay extends PricedRow {
  /** The view of the price: before the day if the price is from before it, and otherwise that of the day. */
  readonly at: string
  readonly day: string
}

// The close before the day has the price of the security as it was then, before a split for example.
const selectPricesOfDays = statement<PricedDay>(
  'select-prices-of-days',
  `select priced.*,
     ${unitsChanged('priced.sec_no', 'priced.priced_at', { day: 'priced.day', knownOn: '$5' })} as units_changed
   from (
     select place, named.sec_no, coalesce(before.price, latest.price) as price,
       coalesce(before.priced_at, latest.priced_at) as priced_at,
       case when before.price is null then ends else opens - interval '1 millisecond' end as at,
       case when before.price is null then named.day else named.day - 1 end as day
     from unnest($1::bigint[], $2::date[], $3::timestamptz[], $4::timestamptz[])
       with ordinality as named (sec_no, day, opens, ends, place)
     left join lateral (${lastPrice('named.sec_no', 'priced_at < opens', '$5')}) as before on not exists (
       select from clearing.announcement
       where sec_no = named.sec_no and ex_date = named.day and state not in ('Cancelling', 'Cancelled')
         and type in ('Split', 'StockDividend', 'Spinoff', 'Merger')
     ) and not exists (
       select from clearing.unit_change
       where to_sec_no = named.sec_no and effective_on = named.day and not is_merger and ${changeCounts({ day: 'null', knownOn: '$5' })}
     )
     left join lateral (
       ${lastPrice('named.sec_no', 'before.price is null and priced_at <= ends', '$5')}
     ) as latest on true
   ) as priced order by place`,
)

/** A security and a day whose price is read. */
export interface PriceOfDay {
  readonly secNo: string
  readonly day: string
  /** The start of the day. Null: the price before it does not count. */
  readonly opens: string | null
  /** The latest time of prices of the day. */
  readonly ends: string
}

/**
 * The last price of each security before its day, in the order given. If there is none, or if a corporate action
 * changes the security on that day: the last price of the day. Undefined without both.
 */
export async function readPricesOfDays(
  tx: Tx,
  wanted: readonly PriceOfDay[],
  knownOn: string | null,
): Promise<(Decimal | undefined)[]> {
  const rows = await tx.rows(selectPricesOfDays, [
    wanted.map(({ secNo }) => secNo),
    wanted.map(({ day }) => day),
    wanted.map(({ opens }) => opens),
    wanted.map(({ ends }) => ends),
    knownOn,
  ])
  const prices: (Decimal | undefined)[] = []
  for (const row of rows)
    for (const { price } of await carryInto(tx, [row], { at: row.at, day: row.day, knownOn }))
      prices.push(price === null ? undefined : decimalOfColumn(price))
  return prices
}
