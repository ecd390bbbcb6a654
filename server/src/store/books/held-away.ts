/** Positions of accounts at other custodians. Reports are appended, and the latest one counts. */
import type { AcctType } from '@clearing/domain/books'
import { statement } from '../../database/statement.ts'
import { openDateOr } from '../business-day.ts'
import { placedRowsOf, rowsOf } from './bulk.ts'
import { isKnown } from './known.ts'
import type { OtherRows } from './quotes.ts'

export const insertHeldAway = statement<never>(
  'insert-held-away',
  `insert into clearing.held_away
   select account_number, sec_no, acct_type, custodian, as_of, firm_id, quantity, cost, open_date, load_id, ${openDateOr('$2')}
   from ${rowsOf('held_away')} on conflict do nothing`,
)

export const selectOtherHeldAway: OtherRows = statement(
  'select-other-held-away',
  `select place, array_remove(array[
       case when held_away.quantity <> given.quantity then 'quantity' end,
       case when held_away.cost is distinct from given.cost then 'cost' end,
       case when held_away.open_date is distinct from given.open_date then 'openDate' end], null) as fields
   from ${placedRowsOf('held_away')} join clearing.held_away using (account_number, sec_no, acct_type, custodian, as_of)
   where held_away.quantity <> given.quantity or held_away.cost is distinct from given.cost
     or held_away.open_date is distinct from given.open_date`,
)

export interface HeldAwayRow {
  readonly sec_no: bigint
  readonly acct_type: AcctType
  readonly custodian: string
  readonly as_of: string
  readonly quantity: string
  readonly cost: string | null
  readonly open_date: string | null
}

/**
 * The latest report until `$2`, known at the close of `$3` (null: of all), for each security, account type and
 * custodian. Positions that ended are left out.
 */
export const selectHeldAway = statement<HeldAwayRow>(
  'select-held-away',
  `select sec_no, acct_type, custodian, as_of, quantity, cost, open_date from (
     select distinct on (sec_no, acct_type, custodian) sec_no, acct_type, custodian, as_of, quantity, cost, open_date
     from clearing.held_away where account_number = $1 and as_of <= $2 and ${isKnown('$3')}
     order by sec_no, acct_type, custodian, as_of desc
   ) as latest where quantity <> 0`,
)
