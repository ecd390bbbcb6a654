/**
 * Changes of the cash and the securities that earlier lines moved: late lines and cancels change the position that they
 * depend on.
 */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { type AmountRow, amountColumns, heldKinds, isSecurity, knownLine } from './amounts.ts'

export interface ChangedRow extends AmountRow {
  readonly external_id: string
  /** The change of the cash. */
  readonly moved: string
  /** The changes of the securities. */
  readonly moved_units: string | null
}

// Entries have the business date on which their cause was booked, which spares the read of earlier partitions.
// A cancel in the range reverses the whole amount of its line, with the changes.
const selectChanged = statement<ChangedRow>(
  'select-changed-amounts',
  `with change as materialized (
     select of_line, asset.name, ${isSecurity('asset.name')} as is_security, sum(asset.amount) as amount from clearing.entry
     cross join unnest(ledger::text[], asset, amount) as asset (ledger, name, amount)
     where account_number = $1 and entry_date > $5 and kind in ('P', 'A') and of_line <= $2 and caused_by > $2 and ${knownLine('$3', 'caused_by')}
       and asset.ledger = 'customer' group by of_line, asset.name having sum(asset.amount) <> 0)
   select ${amountColumns}, activity.external_id, trim_scale(coalesce(change.cash, 0))::text as moved, change.units as moved_units
   from clearing.activity join lateral (
     select sum(amount) filter (where not is_security) as cash,
       string_agg(concat(name, ' ', trim_scale(amount)), ' ' order by name <> activity.sec_no::text, name) filter (where is_security) as units
     from change where of_line = sequence
   ) as change on true
   where account_number = $1 and sequence = any (array(select of_line from change)) and trans_type in (${heldKinds})
     and trade_date <= $4 order by trade_date, sequence`,
)

/** What the lines that became known after some lines of the account changed in these, for lines until a day. */
export function readChangedAmounts(
  tx: Tx,
  accountNumber: string,
  range: {
    /** A closed day. */
    readonly after: string
    /** The sequence of the last line that was known at its close. */
    readonly before: number
    /** The sequence of the last line known in the view; null for all. */
    readonly lines: number | null
    readonly until: string
  },
): Promise<ChangedRow[]> {
  const { after, before, lines, until } = range
  return tx.rows(selectChanged, [accountNumber, before, lines, until, after])
}
