/** Prices for trades of a day. */
import type { Decimal } from '@clearing/domain/decimal'
import { addDays } from '@clearing/domain/market'
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { decimalOfColumn } from '../bulk.ts'
import { correctedPrices, correctedValue } from '../corrected-facts.ts'
import { isKnown } from '../known.ts'
import { readCarriedPrices } from './carried-prices.ts'
import { changeCounts, unitsChanged } from './unit-changes.ts'

function lastPrice(until: string): string {
  return `left join lateral (
     select ${correctedValue(correctedPrices, 'price', '$5')} as price, priced_at
     from clearing.price where price.sec_no = named.sec_no and ${until} and ${isKnown('$5')}
     order by priced_at desc, price_type limit 1
   )`
}
interface QuoteOfDay {
  readonly place: bigint
  readonly quote: string | null
  /** The price is from before the day. */
  readonly is_before: boolean
  readonly units_changed: boolean
}
// The close before the day has the price of the security as it was then, before a split for example.
const selectPricesOfDays = statement<QuoteOfDay>(
  'select-prices-of-days',
  `select place, coalesce(before.price, latest.price) as quote, before.price is not null as is_before,
     ${unitsChanged('named.sec_no', 'coalesce(before.priced_at, latest.priced_at)', {
       day: '(case when before.price is null then named.day else named.day - 1 end)',
       knownOn: '$5',
     })} as units_changed
   from unnest($1::bigint[], $2::date[], $3::timestamptz[], $4::timestamptz[])
     with ordinality as named (sec_no, day, opens, ends, place)
   ${lastPrice('priced_at < opens')} as before on not exists (
     select from clearing.announcement
     where sec_no = named.sec_no and ex_date = named.day and state not in ('Cancelling', 'Cancelled')
       and type in ('Split', 'StockDividend', 'Spinoff', 'Merger')
   ) and not exists (
     select from clearing.unit_change
     where to_sec_no = named.sec_no and effective_on = named.day and not is_merger and ${changeCounts({ day: 'null', knownOn: '$5' })}
   )
   ${lastPrice('before.price is null and priced_at <= ends')} as latest on true`,
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
  const quotes = new Map(rows.map((row) => [Number(row.place), row]))
  const prices: (Decimal | undefined)[] = []
  for (const [at, one] of wanted.entries()) {
    const row = quotes.get(at + 1)
    const quote = row?.quote ?? undefined
    const carried = row?.units_changed ? await readCarriedOfDay(tx, one, row.is_before, knownOn) : undefined
    prices.push(carried ?? (quote === undefined ? undefined : decimalOfColumn(quote)))
  }
  return prices
}

/** The price in the units before the day, if the price is from before it, and otherwise in those of the day. */
async function readCarriedOfDay(
  tx: Tx,
  { secNo, day, opens, ends }: PriceOfDay,
  isBefore: boolean,
  knownOn: string | null,
): Promise<Decimal | undefined> {
  const view =
    isBefore && opens !== null
      ? { at: new Date(Date.parse(opens) - 1), day: addDays(day, -1), knownOn }
      : { at: ends, day, knownOn }
  return (await readCarriedPrices(tx, [secNo], view)).get(secNo)?.price
}
