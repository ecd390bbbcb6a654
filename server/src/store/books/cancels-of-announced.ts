/** Cancels by which a feed takes back lines of an announced action. */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

const selectCancels = statement<{ line: string; cancel: string }>(
  'select-cancels-of-announced-lines',
  `select taken.tag_no as line, min(activity.external_id) as cancel
   from clearing.correction as taken join clearing.activity using (account_number, sequence)
   where taken.account_number = any ($1) and starts_with(taken.tag_no, $2) and taken.correction = 'C' and activity.external_id <> taken.tag_no || $3
   group by taken.tag_no`,
)
/** By cancelled line: the cancel of the feed. A cancel may have arrived before the line. */
export async function readCancelsOfAnnounced(
  tx: Tx,
  accountNumbers: readonly string[],
  of: {
    /** The ids of the announcement's own lines begin with it. */
    readonly prefix: string
    /** The announcement appends it to the id of a line that it cancels itself. */
    readonly ownSuffix: string
  },
): Promise<Map<string, string>> {
  const rows = await tx.rows(selectCancels, [accountNumbers, of.prefix, of.ownSuffix])
  return new Map(rows.map(({ line, cancel }) => [line, cancel]))
}
