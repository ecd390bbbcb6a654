/**
 * The underlyings of options and convertibles, followed through splits, changes of name and mergers. While a contract
 * has not been adjusted, its strike and multiplier are of the units before such a change, and so is the ratio of a
 * convertible (decisions 257 and 293).
 */
import { type Decimal, multiply, ONE } from '@clearing/domain/decimal'
import type { UnitsOfStrike } from '@clearing/domain/market'
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { dayOf } from '../../conditions.ts'
import { decimalOfColumn } from '../bulk.ts'
import { isKnown } from '../known.ts'
import type { SecurityRow, UnderlyingOfRow } from '../securities.ts'
import type { ViewOfPrices } from './last-price.ts'
import { namedSecurity, optionsNaming } from './named-underlyings.ts'
import { changeCounts, type ViewOfChanges } from './unit-changes.ts'

/**
 * The SQL condition that the contract `option` is in the units before `change`: it was known before that day, and no
 * line has adjusted a position into it or opened one since. The strike of a contract that is held cannot change.
 */
export function isUnadjusted(view: ViewOfChanges): string {
  return `${dayOf('option.created_at')} < change.effective_on
    and not exists (select from clearing.unit_change as own
      where own.to_sec_no = option.sec_no and own.effective_on >= change.effective_on and ${changeCounts(view)})`
}

/**
 * The SQL condition that positions in the security given by `change` became ones in the security received, so that
 * options are on the latter. After an exchange that only some holders accepted, the security given is still traded.
 */
export function isFollowed({ knownOn }: Pick<ViewOfChanges, 'knownOn'>, change = 'change'): string {
  return `(not ${change}.is_merger or not exists (select from clearing.price as traded
      where traded.sec_no = ${change}.sec_no and ${isKnown(knownOn, 'traded.')}
        and traded.priced_at >= ${change}.effective_on::timestamp at time zone 'America/New_York'))`
}

const now = { day: 'null', knownOn: 'null' }
const asked = { day: '$4', knownOn: '$5' }
/** Ends a search among lines that move a position from one security to another and back on one day. */
const stepsMax = 50

// The ratio of a day is that which most lines state, as for prices. Of one day, a change of the security and one
// exchange count. The ratio of a convertible is of the units before a change if the day before had the same.
const selectFollowed = statement<{
  sec_no: bigint
  stock_no: bigint
  step: number
  received: string | null
  held: string | null
}>(
  'select-followed-underlyings',
  `with recursive named as (
     select given.sec_no, ratio, created_at, ${namedSecurity('given.sec_no', 'given.name')} as stock_no
     from unnest($1::bigint[], $2::text[], $3::numeric[]) as given (sec_no, name, ratio)
     join clearing.security using (sec_no)
   ), followed as (
     select sec_no, ratio, created_at, stock_no, 0 as step, '-infinity'::date as day, false as exchanged,
       null::numeric as received, null::numeric as held
     from named where stock_no is not null
     union all
     select option.sec_no, option.ratio, option.created_at, change.to_sec_no, step + 1, change.effective_on, change.exchanged,
       case when ${isUnadjusted(asked)} and (option.ratio is null or option.ratio = coalesce((
         select (facts ->> 'conversion_ratio')::numeric from clearing.security_version as version
         where version.sec_no = option.sec_no and entered_on < change.effective_on order by entered_on desc limit 1
       ), option.ratio)) then change.received end,
       change.held
     from followed as option cross join lateral (
       select effective_on, sec_no <> to_sec_no as exchanged, to_sec_no, received, held from clearing.unit_change as change
       where change.sec_no = option.stock_no and ${changeCounts(asked)} and ${isFollowed(asked)}
         and (effective_on > day or effective_on = day and (sec_no <> to_sec_no) <> option.exchanged)
       group by effective_on, sec_no, to_sec_no, received, held, is_stated
       order by effective_on, exchanged, is_stated desc, count(*) desc, held desc, received desc limit 1
     ) as change
     where step < ${stepsMax}
   )
   select sec_no, stock_no, step, received, held from followed order by step`,
)

/** What an option or a convertible names as its underlying. Null for other securities. */
function nameOf({ put_call, underlying, converts_to }: SecurityRow): string | null {
  return put_call === null ? converts_to : underlying
}

/** The rows of securities, those of options and convertibles with the underlying that they have in the view. */
export async function withUnderlyings<Row extends SecurityRow>(
  tx: Tx,
  rows: readonly Row[],
  { day, knownOn }: Pick<ViewOfPrices, 'day' | 'knownOn'>,
): Promise<(Row & UnderlyingOfRow)[]> {
  const naming = rows.filter((row) => nameOf(row) !== null)
  if (naming.length === 0) return [...rows]
  const found = await tx.rows(selectFollowed, [
    naming.map(({ sec_no }) => sec_no),
    naming.map(nameOf),
    naming.map(({ put_call, conversion_ratio }) => (put_call === null ? conversion_ratio : null)),
    day,
    knownOn,
  ])
  const followed = new Map<bigint, { stockNo: string; units: UnitsOfStrike }>()
  for (const { sec_no, stock_no, received, held } of found) {
    const { units = { received: ONE, held: ONE } } = followed.get(sec_no) ?? {}
    followed.set(sec_no, {
      stockNo: String(stock_no),
      units:
        received === null || held === null
          ? units
          : {
              received: product(units.received, decimalOfColumn(received)),
              held: product(units.held, decimalOfColumn(held)),
            },
    })
  }
  return rows.map((row) => {
    if (nameOf(row) === null) return row
    const { stockNo = null, units } = followed.get(row.sec_no) ?? {}
    return {
      ...row,
      underlying_no: stockNo,
      strike_units: units === undefined || units.received === units.held ? undefined : units,
    }
  })
}

const ratioPlaces = 10
function product(a: Decimal, b: Decimal): Decimal {
  return multiply(a, b, ratioPlaces)
}

/**
 * SQL for the changes, as `(sec_no, day)`, on the way of the security `start`: each change of its units and each
 * exchange into another security, with what it then is. The first row is `start` itself, before every day.
 */
export function wayOf(start: string): string {
  return `(with recursive way as (
     select ${start} as sec_no, '-infinity'::date as day
     union
     select change.to_sec_no, change.effective_on from way join clearing.unit_change as change
       on change.sec_no = way.sec_no and change.effective_on >= way.day and change.cancelled_on is null
     where ${isFollowed(now)}
   ) select sec_no, day from way)`
}

/** SQL for the securities, as `(sec_no)`, that had become the security `end` by a day, and that security. */
export function originsOf(end: string, day: string): string {
  return `(with recursive origin as (
     select ${end} as sec_no, ${day} as day
     union
     select change.sec_no, change.effective_on from origin join clearing.unit_change as change
       on change.to_sec_no = origin.sec_no and change.sec_no <> change.to_sec_no and change.effective_on <= origin.day
         and change.cancelled_on is null
     where ${isFollowed(now)}
   ) select distinct sec_no from origin)`
}

const insertOpened = statement(
  'insert-units-of-opened-options',
  `with option as (
     select sec_no, ${namedSecurity('traded.sec_no', 'traded.underlying')} as stock_no from clearing.security as traded
     where sec_no = any ($1::bigint[]) and put_call is not null
     union
     select written.sec_no, stock.sec_no from unnest($2::bigint[]) as changed (sec_no)
     cross join lateral ${originsOf('changed.sec_no', "'infinity'::date")} as origin
     join clearing.security as stock on stock.sec_no = origin.sec_no
     cross join lateral ${optionsNaming('stock')} as written
   )
   insert into clearing.unit_change
     (firm_id, external_id, sec_no, to_sec_no, effective_on, received, held, is_stated, is_merger, entered_on)
   select distinct on (option.sec_no) lot.firm_id, lot.opened_by, option.sec_no, option.sec_no, lot.open_date, 1, 1, false, false, $3::date
   from option cross join lateral ${wayOf('option.stock_no')} as change
   join clearing.lot on lot.sec_no = option.sec_no and lot.open_date >= change.day
   where change.day > '-infinity' and not exists (select from clearing.unit_change as own
       where own.to_sec_no = option.sec_no and own.effective_on >= change.day and own.cancelled_on is null)
   order by option.sec_no, lot.open_date desc, lot.opened_by
   on conflict do nothing`,
)

/**
 * Notes options that are opened after a change of their underlyings: such a contract is in the units after it. `traded`
 * are securities that a batch traded, and `changed` those whose units it changed. The holdings must be written.
 */
export function noteOpenedOptions(
  tx: Tx,
  { traded, changed }: { readonly traded: readonly string[]; readonly changed: readonly string[] },
  enteredOn: string,
): void {
  if (traded.length > 0 || changed.length > 0) tx.later(insertOpened, [traded, changed, enteredOn])
}
