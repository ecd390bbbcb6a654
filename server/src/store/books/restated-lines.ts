/**
 * The lines whose amounts other lines changed in a range of days: lines that depend on the position, and cancels that
 * came before their originals. Lines that were entered in the range themselves are left out.
 */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { AskedPages } from './activity.ts'
import { type AmountRow, amountColumns, heldKinds, isSecurity, knownLine, movedColumns } from './amounts.ts'
import { cancelsBeforeOriginals } from './effective-cancels.ts'

export interface RestatedRow extends AmountRow {
  readonly external_id: string
  readonly entered_on: string
  /** The business date of the latest change in the range. */
  readonly restated_on: string
  /** What the lines of the range changed in the cash; null for a cancel, which moved nothing before. */
  readonly change: string | null
}

// Entries have the business date on which their cause was booked. The cash of an entry is in the currency of the line.
// A sum of zero is a change too: a client may have
// read the line between two changes, and securities can change alone.
const selectRestated = statement<RestatedRow>(
  'select-restated-lines',
  `with changed as materialized (
     select of_line as sequence, max(entry_date) as restated_on,
       coalesce(sum(asset.amount) filter (where not ${isSecurity('asset.name')}), 0) as change
     from clearing.entry cross join unnest(ledger::text[], asset, amount) as asset (ledger, name, amount)
     where account_number = $1 and entry_date between $2 and $3 and kind in ('P', 'A') and of_line < caused_by
       and ${knownLine('$4', 'caused_by')} and asset.ledger = 'customer'
     group by of_line),
   effective as materialized (
     select cancel.sequence, original.entered_on as restated_on, null::numeric as change
     from ${cancelsBeforeOriginals('$1')}
       and original.entered_on between $2 and $3 and original.trans_type not in (${heldKinds})
       and ${knownLine('$4', 'original.sequence')} and ($5::date is null or original.trade_date <= $5)),
   restated as (select * from changed union all select * from effective)
   select ${amountColumns}, ${movedColumns('$4')}, activity.external_id, activity.entered_on, restated.restated_on,
     trim_scale(restated.change)::text as change
   from clearing.activity join restated using (sequence)
   where account_number = $1 and activity.sequence = any (array(select sequence from restated)) and entered_on < $2
     and (restated.change is null or trans_type in (${heldKinds}) and ($5::date is null or trade_date <= $5))
   order by activity.sequence`,
)

export function readRestatedLines(
  tx: Tx,
  {
    accountNumber,
    dateFrom,
    dateTo,
    lines,
    until,
  }: Pick<AskedPages, 'accountNumber' | 'dateFrom' | 'dateTo' | 'lines' | 'until'>,
): Promise<RestatedRow[]> {
  return tx.rows(selectRestated, [accountNumber, dateFrom, dateTo, lines, until])
}
