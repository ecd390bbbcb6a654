/** Prices and exchange rates in force at an instant. */
import type { Decimal } from '@clearing/domain/decimal'
import { addDays } from '@clearing/domain/market'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { openDateOr } from '../business-day.ts'
import { decimalOfColumn, rowsOf } from './bulk.ts'
import { readCarriedPrices } from './carried-prices.ts'
import { correctedPrices, correctedRates, correctedValue } from './corrected-facts.ts'
import { isKnown } from './known.ts'
import { changeCounts, unitsChanged } from './unit-changes.ts'

export const insertPrices = statement<never>(
  'insert-prices',
  `insert into clearing.price select sec_no, priced_at, price_type, price, yield, ${openDateOr('$2')}
   from ${rowsOf('price')} on conflict do nothing`,
)
export const insertRates = statement<never>(
  'insert-fx-rates',
  `insert into clearing.fx_rate select currency, rate_date, rate, ${openDateOr('$2')}
   from ${rowsOf('fx_rate')} on conflict do nothing`,
)

interface Quote {
  readonly sec_no: bigint
  readonly quote: string
}

// If a security has several prices of one instant, the one nearest to the market counts.
const selectPrices = statement<{
  readonly sec_no: bigint
  readonly quote: string | null
  readonly units_changed: boolean
}>(
  'select-prices-at',
  `select named.sec_no, latest.price as quote,
     ${unitsChanged('named.sec_no', 'latest.priced_at', { day: '$4', knownOn: '$3' })} as units_changed
   from unnest($1::bigint[]) as named (sec_no) left join lateral (
     select ${correctedValue(correctedPrices, 'price', '$3')} as price, priced_at
     from clearing.price where price.sec_no = named.sec_no and priced_at <= $2 and ${isKnown('$3')}
     order by priced_at desc, price_type limit 1
   ) as latest on true`,
)
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
/**
 * Selects the latest yield of the fund `named.sec_no` until `$2`, known at the close of `day`. A correction can give
 * a price a yield, or take it away.
 */
export function latestYield(day: string): string {
  return `select yield from (
       (select priced_at, yield from clearing.price
        where price.sec_no = named.sec_no and priced_at <= $2 and yield is not null and ${isKnown(day)} and not exists (
          select from clearing.price_correction as correction where correction.sec_no = price.sec_no
            and correction.priced_at = price.priced_at and correction.price_type = price.price_type and ${isKnown(day, 'correction.')})
        order by priced_at desc limit 1)
       union all
       (select priced_at, yield from (
          select distinct on (priced_at, price_type) priced_at, price_type, yield from clearing.price_correction as correction
          where correction.sec_no = named.sec_no and priced_at <= $2 and ${isKnown(day)}
          order by priced_at desc, price_type, version desc
        ) as last_correction where yield is not null order by priced_at desc limit 1)
     ) as reported_yield order by priced_at desc limit 1`
}

const selectYields = statement<Quote>(
  'select-yields-at',
  `select named.sec_no, latest.yield as quote from unnest($1::bigint[]) as named (sec_no) cross join lateral (
     ${latestYield('$3')}
   ) as latest`,
)
// Each currency is searched for, because the table has the rates of all days.
const selectRates = statement<{ readonly currency: string; readonly rate: string }>(
  'select-latest-rates',
  `select currencies.currency, latest.rate from (
     with recursive every (currency) as (
       (select currency from clearing.fx_rate order by currency limit 1)
       union all
       select (select currency from clearing.fx_rate where fx_rate.currency > every.currency order by currency limit 1)
       from every where every.currency is not null
     ) select currency from every where currency is not null
   ) as currencies
   cross join lateral (
     select ${correctedValue(correctedRates, 'rate', '$2')} as rate from clearing.fx_rate
     where fx_rate.currency = currencies.currency and rate_date <= $1 and ${isKnown('$2')}
     order by rate_date desc limit 1
   ) as latest`,
)

/**
 * The latest price of each security until the instant, in its units at the end of the day, by secNo; securities without
 * a price are left out. Here and below `knownOn` is the close until which facts are known; null for all.
 */
export async function readPricesAt(
  tx: Tx,
  secNos: readonly string[],
  { at, day, knownOn }: { readonly at: string; readonly day: string; readonly knownOn: string | null },
): Promise<Map<string, Decimal>> {
  const prices = new Map<string, Decimal>()
  const changed: string[] = []
  for (const { sec_no, quote, units_changed } of await tx.rows(selectPrices, [secNos, at, knownOn, day])) {
    if (quote !== null) prices.set(String(sec_no), decimalOfColumn(quote))
    if (units_changed) changed.push(String(sec_no))
  }
  const carried = await readCarriedPrices(tx, changed, { at, day, knownOn })
  for (const [secNo, { price }] of carried) prices.set(secNo, price)
  return prices
}

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

/** The latest yield of each fund until the instant, percent a year, by secNo. */
export async function readYieldsAt(
  tx: Tx,
  secNos: readonly string[],
  at: string,
  knownOn: string | null,
): Promise<Map<string, Decimal>> {
  return quotesBySecurity(await tx.rows(selectYields, [secNos, at, knownOn]))
}

function quotesBySecurity(rows: readonly Quote[]): Map<string, Decimal> {
  return new Map(rows.map((row) => [String(row.sec_no), decimalOfColumn(row.quote)]))
}

/** US dollars for one unit of each currency, by the latest rate until the day. */
export async function readRatesOn(
  tx: Tx,
  day: string,
  knownOn: string | null,
): Promise<Map<string, Decimal>> {
  return new Map(
    (await tx.rows(selectRates, [day, knownOn])).map((row) => [row.currency, decimalOfColumn(row.rate)]),
  )
}
