/** Positions of accounts at other custodians. Reports are appended, and the latest one counts. */
import type { AcctType } from '@clearing/domain/books'
import { statement } from '../../database/statement.ts'
import { openDateOr } from '../business-day.ts'
import { rowsOf } from './bulk.ts'
import { correctedHeldAway, correctedValue } from './corrected-facts.ts'
import { isKnown } from './known.ts'
import { isFollowed } from './prices/changed-underlyings.ts'
import { changeCounts } from './prices/unit-changes.ts'

export const insertHeldAway = statement<never>(
  'insert-held-away',
  `insert into clearing.held_away
   select account_number, sec_no, acct_type, custodian, as_of, firm_id, quantity, cost, open_date, load_id, ${openDateOr('$2')}
   from ${rowsOf('held_away')} on conflict do nothing`,
)

export interface HeldAwayRow {
  readonly sec_no: bigint
  readonly acct_type: AcctType
  readonly custodian: string
  readonly as_of: string
  readonly quantity: string
  readonly cost: string | null
  readonly open_date: string | null
  /** Null for a report of a release without this column. */
  readonly entered_on: string | null
}

/**
 * The latest report until `$2`, known at the close of `$3` (null: of all), for each security, account type and
 * custodian. Positions that ended are left out, and those in securities that were exchanged for others which the
 * custodian has reported since.
 */
export const selectHeldAway = statement<HeldAwayRow>(
  'select-held-away',
  `select * from (
     select sec_no, acct_type, custodian, as_of, entered_on, ${['quantity', 'cost', 'open_date']
       .map((column) => `${correctedValue(correctedHeldAway, column, '$3', 'latest')} as ${column}`)
       .join(', ')}
     from (
       select distinct on (sec_no, acct_type, custodian) *
       from clearing.held_away where account_number = $1 and as_of <= $2 and ${isKnown('$3')}
       order by sec_no, acct_type, custodian, as_of desc
     ) as latest
   ) as reported where quantity <> 0 and not exists (
     select from (
       select to_sec_no, effective_on from clearing.unit_change as change
       where change.sec_no = reported.sec_no and to_sec_no <> change.sec_no and effective_on > reported.as_of
         and ${changeCounts({ day: '$2', knownOn: '$3' })} and ${isFollowed({ knownOn: '$3' })}
     ) as exchange join clearing.held_away as later on later.account_number = $1 and later.sec_no = exchange.to_sec_no
       and later.acct_type = reported.acct_type and later.custodian = reported.custodian
       and later.as_of between exchange.effective_on and $2 and ${isKnown('$3', 'later.')}
   )`,
)
