/** Prices and exchange rates in force at an instant. */
import type { Decimal } from '@clearing/domain/decimal'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { openDateOr } from '../business-day.ts'
import { decimalOfColumn, rowsOf } from './bulk.ts'
import { correctedPrices, correctedRates, correctedValue } from './corrected-facts.ts'
import { isKnown } from './known.ts'

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
const selectPrices = statement<Quote>(
  'select-prices-at',
  `select named.sec_no, latest.price as quote from unnest($1::bigint[]) as named (sec_no) cross join lateral (
     select ${correctedValue(correctedPrices, 'price', '$3')} as price
     from clearing.price where price.sec_no = named.sec_no and priced_at <= $2 and ${isKnown('$3')}
     order by priced_at desc, price_type limit 1
   ) as latest`,
)
function lastPrice(until: string): string {
  return `(
     select ${correctedValue(correctedPrices, 'price', '$5')} as price
     from clearing.price where price.sec_no = named.sec_no and ${until} and ${isKnown('$5')}
     order by priced_at desc, price_type limit 1
   )`
}
// The close before the day has the price of the security as it was then, before a split for example.
const selectPricesOfDays = statement<{ readonly place: bigint; readonly quote: string | null }>(
  'select-prices-of-days',
  `select place, coalesce(case when not exists (
       select from clearing.announcement
       where sec_no = named.sec_no and ex_date = named.day and state not in ('Cancelling', 'Cancelled')
         and type in ('Split', 'StockDividend', 'Spinoff', 'Merger')
     ) then ${lastPrice('priced_at < opens')} end, ${lastPrice('priced_at <= ends')}) as quote
   from unnest($1::bigint[], $2::date[], $3::timestamptz[], $4::timestamptz[])
     with ordinality as named (sec_no, day, opens, ends, place)`,
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
const selectRates = statement<{ currency: string; rate: string }>(
  'select-fx-rates-on',
  `select currency, ${correctedValue(correctedRates, 'rate', '$2')} as rate from (
     select distinct on (currency) currency, rate_date, rate from clearing.fx_rate
     where rate_date <= $1 and ${isKnown('$2')} order by currency, rate_date desc
   ) as fx_rate`,
)

/**
 * The latest price of each security until the instant, by secNo; securities without a price are left out. Here and
 * below `knownOn` is the close until which facts are known; null for all.
 */
export async function readPricesAt(
  tx: Tx,
  secNos: readonly string[],
  at: string,
  knownOn: string | null,
): Promise<Map<string, Decimal>> {
  return quotesBySecurity(await tx.rows(selectPrices, [secNos, at, knownOn]))
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
  const quotes = new Map(rows.map(({ place, quote }) => [Number(place), quote ?? undefined]))
  return wanted.map((_, at) => {
    const quote = quotes.get(at + 1)
    return quote === undefined ? undefined : decimalOfColumn(quote)
  })
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
