/**
 * Cancels that came before their originals. Such a cancel has no effect until its original arrives, and reverses it
 * then.
 */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { type AmountRow, amountColumns, heldKinds, knownLine } from './amounts.ts'

/**
 * The SQL tables and conditions of the cancels of an account that came before their originals: `cancel` and `original`.
 * Only the first cancel of a line reverses it.
 */
export function cancelsBeforeOriginals(accountNumber: string): string {
  return `clearing.correction as cancel
     join clearing.activity_key as key on key.firm_id = cancel.firm_id and key.external_id = cancel.tag_no
       and key.account_number = cancel.account_number
     join clearing.activity as original on original.account_number = cancel.account_number
       and original.process_date = key.process_date and original.sequence = key.sequence
     where cancel.account_number = ${accountNumber} and cancel.correction = 'C' and original.correction is distinct from 'C'
       and original.sequence > cancel.sequence
       and not exists (select from clearing.correction as earlier where earlier.account_number = cancel.account_number
         and earlier.tag_no = cancel.tag_no and earlier.correction = 'C' and earlier.sequence < cancel.sequence)`
}

export interface EffectiveCancel extends AmountRow {
  readonly external_id: string
}

// A line that depends on the position moves nothing if it is cancelled when it arrives.
const selectEffective = statement<EffectiveCancel>(
  'select-effective-cancels',
  `select ${amountColumns}, activity.external_id from clearing.activity
   where account_number = $1 and sequence = any (array(
     select cancel.sequence from ${cancelsBeforeOriginals('$1')}
       and cancel.sequence <= $2 and original.sequence > $2 and ${knownLine('$3', 'original.sequence')}
       and original.trade_date <= $4 and original.trans_type not in (${heldKinds})))
   order by trade_date, sequence`,
)

/** The cancels known at a close whose originals, of days until a day, became known since. */
export function readEffectiveCancels(
  tx: Tx,
  accountNumber: string,
  range: {
    /** The sequence of the last line that was known at the close. */
    readonly before: number
    /** The sequence of the last line known in the view; null for all. */
    readonly lines: number | null
    readonly until: string
  },
): Promise<EffectiveCancel[]> {
  return tx.rows(selectEffective, [accountNumber, range.before, range.lines, range.until])
}
