/**
 * Options whose underlying changed its units, such as by a split, while the contract has not been adjusted: their
 * strikes and multipliers are of the units before the change (decision 257).
 */
import { type Decimal, multiply, ONE } from '@clearing/domain/decimal'
import type { UnitsOfStrike } from '@clearing/domain/market'
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { dayOf } from '../../conditions.ts'
import { decimalOfColumn } from '../bulk.ts'
import type { SecurityRow } from '../securities.ts'
import type { ViewOfPrices } from './last-price.ts'
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

// The ratio of a day is that which most lines state, as for prices.
const selectUnadjusted = statement<{ sec_no: bigint; received: string; held: string }>(
  'select-unadjusted-options',
  `select option.sec_no, change.received, change.held from clearing.security as option
   join clearing.security as stock on stock.symbol = option.underlying
   cross join lateral (
     select distinct on (effective_on) effective_on, received, held from clearing.unit_change
     where to_sec_no = stock.sec_no and unit_change.sec_no = stock.sec_no and ${changeCounts({ day: '$2', knownOn: '$3' })}
     group by effective_on, received, held, is_stated
     order by effective_on, is_stated desc, count(*) desc, held desc, received desc
   ) as change
   where option.sec_no = any ($1::bigint[]) and received <> held and ${isUnadjusted({ day: '$2', knownOn: '$3' })}`,
)

/** The rows of securities, and with those of unadjusted options the change of their underlyings. */
export async function withUnitsOfStrikes<Row extends SecurityRow>(
  tx: Tx,
  rows: readonly Row[],
  { day, knownOn }: Pick<ViewOfPrices, 'day' | 'knownOn'>,
): Promise<(Row & { readonly strike_units?: UnitsOfStrike })[]> {
  const options = rows.filter(({ put_call, underlying }) => put_call !== null && underlying !== null)
  if (options.length === 0) return [...rows]
  const secNos = options.map(({ sec_no }) => String(sec_no))
  const units = new Map<string, UnitsOfStrike>()
  for (const { sec_no, received, held } of await tx.rows(selectUnadjusted, [secNos, day, knownOn])) {
    const before = units.get(String(sec_no)) ?? { received: ONE, held: ONE }
    units.set(String(sec_no), {
      received: product(before.received, decimalOfColumn(received)),
      held: product(before.held, decimalOfColumn(held)),
    })
  }
  return rows.map((row) => {
    const changed = units.get(String(row.sec_no))
    return changed === undefined ? row : { ...row, strike_units: changed }
  })
}

const ratioPlaces = 10
function product(a: Decimal, b: Decimal): Decimal {
  return multiply(a, b, ratioPlaces)
}

const insertOpened = statement(
  'insert-units-of-opened-options',
  `with option as (
     select sec_no, underlying from clearing.security where sec_no = any ($1::bigint[]) and put_call is not null
     union
     select written.sec_no, written.underlying from clearing.security as stock
     join clearing.security as written on written.underlying = stock.symbol and written.put_call is not null
     where stock.sec_no = any ($2::bigint[])
   )
   insert into clearing.unit_change
     (firm_id, external_id, sec_no, to_sec_no, effective_on, received, held, is_stated, is_merger, entered_on)
   select distinct on (option.sec_no) lot.firm_id, lot.opened_by, option.sec_no, option.sec_no, lot.open_date, 1, 1, false, false, $3::date
   from option join clearing.security as stock on stock.symbol = option.underlying
   join clearing.unit_change as change on change.to_sec_no = stock.sec_no and change.sec_no = stock.sec_no and change.cancelled_on is null
   join clearing.lot on lot.sec_no = option.sec_no and lot.open_date >= change.effective_on
   where not exists (select from clearing.unit_change as own
       where own.to_sec_no = option.sec_no and own.effective_on >= change.effective_on and own.cancelled_on is null)
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
