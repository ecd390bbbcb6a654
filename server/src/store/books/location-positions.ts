/**
 * Positions that locations (depositories, custodian banks, clearing houses) reported for the clearing firm, and their
 * differences from the books.
 */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { openDateOr } from '../business-day.ts'
import { rowsOf } from './bulk.ts'
import { correctedLocationPositions, correctedValue } from './corrected-facts.ts'

/** A location that reported within this number of days is expected to report each day. */
const reportDaysMax = 10

export const insertLocationPositions = statement<never>(
  'insert-location-positions',
  `insert into clearing.location_position
   select as_of, location, sec_no, quantity, load_id, ${openDateOr('$2')}
   from ${rowsOf('location_position')} on conflict do nothing`,
)

const selectLocations = statement<{ location: string; reported: boolean }>(
  'select-locations-of-day',
  `select location, bool_or(as_of = $1) as reported from clearing.location_position
   where as_of between $1::date - ${reportDaysMax} and $1 group by location order by location`,
)

/** The locations that are expected to report for a day, and whether they did. */
export function readLocations(tx: Tx, day: string): Promise<{ location: string; reported: boolean }[]> {
  return tx.rows(selectLocations, [day])
}

// A location should hold the positions of customers less the amount that settles after the day. That amount
// is what unsettled lines posted with the street, with its sign.
const differing = `
  with booked as (
    select sec_no, sum(quantity_cash + quantity_margin + quantity_short) as quantity from clearing.holding group by sec_no
  ), late as (
    select account_number, process_date, sequence from clearing.unsettled where settle_date > $1
  ), posted as (
    select ledger, asset, amount from late join clearing.activity using (account_number, process_date, sequence)
    where entry_no is not null
    union all
    select ledger, asset, amount from late
    join clearing.entry on entry.account_number = late.account_number and entry.of_line = late.sequence
  ), open as (
    select leg.asset::bigint as sec_no, sum(leg.amount) as quantity
    from posted cross join lateral unnest(ledger, asset, amount) as leg (ledger, asset, amount)
    where leg.ledger = 'street:clearing' and leg.asset ~ '^\\d+$' group by leg.asset
  ), expected as (
    select sec_no, sum(quantity) as quantity from (select * from booked union all select * from open) as part group by sec_no
  ), reported as (
    select sec_no, sum(quantity) as quantity,
      json_agg(json_build_object('location', location, 'quantity', trim_scale(quantity)::text) order by location) as locations
    from (
      select sec_no, location, ${correctedValue(correctedLocationPositions, 'quantity', 'null')} as quantity
      from clearing.location_position where as_of = $1
    ) as report group by sec_no
  ), differing as (
    select sec_no, coalesce(expected.quantity, 0) as booked, coalesce(reported.quantity, 0) as reported, locations
    from expected full join reported using (sec_no)
    where coalesce(expected.quantity, 0) <> coalesce(reported.quantity, 0)
  )`

const namedMax = 5
const countDiffering = statement<{ count: bigint; names: readonly string[] }>(
  'count-differing-locations',
  `${differing}
   select count(*) as count,
     coalesce((array_agg(coalesce(symbol, cusip, isin, sedol) order by sec_no))[1:${namedMax}], '{}') as names
   from differing join clearing.security using (sec_no)`,
)

export interface LocationCheck {
  readonly differing: bigint
  /** The names of some of the securities that differ. */
  readonly names: readonly string[]
  /** Locations whose expected report for the day is missing. */
  readonly missing: readonly string[]
}

/**
 * Compares the settled positions of a day, which is the open business date, with the reports of locations for
 * it.
 */
export async function checkLocations(tx: Tx, day: string): Promise<LocationCheck> {
  const locations = await readLocations(tx, day)
  const missing = locations.filter(({ reported }) => !reported).map(({ location }) => location)
  if (missing.length === locations.length) return { differing: 0n, names: [], missing }
  const found = await tx.row(countDiffering, [day])
  return { differing: found?.count ?? 0n, names: found?.names ?? [], missing }
}

export interface LocationDifference {
  readonly sec_no: bigint
  readonly symbol: string | null
  readonly cusip: string | null
  readonly description: string
  readonly booked: string
  readonly reported: string
  readonly difference: string
  readonly locations: readonly { readonly location: string; readonly quantity: string }[] | null
}

const selectDiffering = statement<LocationDifference>(
  'select-differing-locations',
  `${differing}
   select sec_no, symbol, cusip, description, trim_scale(booked)::text as booked, trim_scale(reported)::text as reported,
     trim_scale(reported - booked)::text as difference, locations
   from differing join clearing.security using (sec_no) where sec_no > $2 order by sec_no limit $3`,
)

/** Securities, after a given one, for which the reports of all locations together differ from the books of a day. */
export function readDifferences(
  tx: Tx,
  day: string,
  after: number,
  most: number,
): Promise<LocationDifference[]> {
  return tx.rows(selectDiffering, [day, after, most])
}
