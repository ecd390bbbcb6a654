/** Lines of margin accounts that later lines have changed. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { LinesWanted } from './margin-lines.ts'

// What later lines changed is in entries of its own. They have the dates on which the later lines were entered.
const selectFirst = statement<{ account_number: string; sequence: bigint }>(
  'select-first-changed-lines',
  `with wanted as (
     select * from unnest($1::text[], $2::bigint[], $3::bigint[]) as wanted (account_number, after, up_to)
   )
   select account_number, min(changed.sequence) as sequence from (
     select wanted.account_number, key.sequence from wanted
     join clearing.correction as cancel on cancel.account_number = wanted.account_number and cancel.correction = 'C'
       and cancel.sequence > after and cancel.sequence <= up_to
     join clearing.activity_key as key on key.firm_id = cancel.firm_id and key.external_id = cancel.tag_no
       and key.account_number = wanted.account_number and key.sequence <= after
     join clearing.activity as original on original.account_number = key.account_number
       and original.process_date = key.process_date and original.sequence = key.sequence
     where original.acct_type in (2, 3) and original.correction is distinct from 'C' and not exists (
       select from clearing.correction as earlier where earlier.account_number = cancel.account_number
         and earlier.tag_no = cancel.tag_no and earlier.correction = 'C' and earlier.sequence < cancel.sequence)
     union all
     select account_number, of_line from wanted join clearing.entry using (account_number)
     where entry_date >= $4 and caused_by > after and caused_by <= up_to and of_line <= after and kind <> 'S'
       and acct_type in (2, 3)
     union all
     select wanted.account_number, key.sequence from wanted
     join clearing.closing on closing.account_number = wanted.account_number and revision > after and revision <= up_to
     join clearing.activity_key as key on key.firm_id = closing.firm_id and key.external_id = closing.external_id
       and key.account_number = wanted.account_number and key.sequence <= after
     where acct_type in (2, 3)
   ) as changed group by account_number`,
)

/**
 * By account, the sequence of the first line until `after` that a line after it cancelled, or whose closings it
 * changed. `since`: a day on or before which the lines until `after` were entered.
 */
export async function readFirstChanged(
  tx: Tx,
  wanted: readonly LinesWanted[],
  since: string,
): Promise<Map<string, number>> {
  if (wanted.length === 0) return new Map()
  const rows = await tx.rows(selectFirst, [
    wanted.map(({ accountNumber }) => accountNumber),
    wanted.map(({ after }) => after),
    wanted.map(({ upTo }) => upTo),
    since,
  ])
  return new Map(rows.map(({ account_number, sequence }) => [account_number, Number(sequence)]))
}
