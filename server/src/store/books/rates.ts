/** Exchange rates in force on a day, and those of the days on which lots were opened. */
import type { Decimal } from '@clearing/domain/decimal'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { decimalOfColumn } from './bulk.ts'
import { correctedRates, correctedValue } from './corrected-facts.ts'
import { isKnown } from './known.ts'

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

export interface OpenRateRow {
  readonly currency: string
  readonly open_date: string
  readonly rate: string | null
  /**
   * The day of the rate, and the business date on which it was entered. Null without a rate, or for a rate
   * older than these dates.
   */
  readonly rate_date: string | null
  readonly entered_on: string | null
}

// The rate for the day on which a lot was opened: the latest until that day, or the table's first rate if it begins
// later.
/**
 * Rates for the days on which lots were opened without a rate from the feed, among the rates known at the close of `$3`
 * (null: of all).
 */
export const selectOpenRates = statement<OpenRateRow>(
  'select-open-rates',
  `with opened as (
     select * from unnest($1::text[], $2::date[]) as opened (currency, open_date)
   ) select opened.currency, opened.open_date, rate, rate_date, entered_on
   from opened left join lateral (
     select ${correctedValue(correctedRates, 'rate', '$3', 'candidate')} as rate, rate_date,
       ${correctedValue(correctedRates, 'entered_on', '$3', 'candidate')} as entered_on
     from (
       (select 1 as choice, currency, rate, rate_date, entered_on from clearing.fx_rate
        where fx_rate.currency = opened.currency and rate_date <= opened.open_date and ${isKnown('$3')} order by rate_date desc limit 1)
       union all
       (select 2, currency, rate, rate_date, entered_on from clearing.fx_rate
        where fx_rate.currency = opened.currency and ${isKnown('$3')} order by rate_date limit 1)
     ) as candidate order by choice limit 1
   ) as reported on true`,
)
