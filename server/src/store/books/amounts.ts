/** The amounts of lines of activity, and the amounts that their entries moved. */
import { HELD_TRANS_TYPES, type TransType } from '@clearing/domain/books'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

/** The columns from which the amounts of a line are computed. */
export interface AmountRow {
  readonly record: string
  readonly sequence: bigint
  readonly correction: 'C' | 'R' | null
  readonly tag_no: string | null
  /** For a line that does not depend on the position. */
  readonly net_amount: string | null
  readonly trans_type: TransType
  /**
   * For a line that depends on the position: the amount that its entries moved; null if they moved none. It
   * is not read for trades.
   */
  readonly moved?: string | null
}

export const amountColumns =
  'activity.record, activity.sequence, activity.correction, activity.tag_no, activity.net_amount, activity.trans_type'

/**
 * The SQL condition for a line that is known in a view. `lines` is the sequence of the last line known, null for all.
 */
export function knownLine(lines: string, sequence: string): string {
  return `(${lines}::bigint is null or ${sequence} <= ${lines}::bigint)`
}

export const heldKinds = HELD_TRANS_TYPES.map((kind) => `'${kind}'`).join(', ')

// Includes corrections that late lines caused, and excludes the reversal of a cancelled line.
export function movedColumn(lines: string): string {
  return `case when trans_type in (${heldKinds}) then (
    select trim_scale(sum(leg.amount))::text
    from (
      select activity.ledger, activity.asset, activity.amount
      union all
      select ledger, asset, amount from clearing.entry
      where entry.account_number = activity.account_number and of_line = activity.sequence and kind in ('P', 'A')
        and ${knownLine(lines, 'caused_by')}
    ) as posted cross join unnest(ledger, asset, amount) as leg (ledger, asset, amount)
    where leg.ledger = 'customer' and leg.asset = activity.currency
  ) end as moved`
}

// The first cancel of a line reverses it. A cancel reverses no cancel.
const selectOriginals = statement<AmountRow & { external_id: string; cancelled_by: bigint }>(
  'select-originals-of-cancels',
  `select ${amountColumns}, activity.external_id, named.cancelled_by, ${movedColumn('$3')}
   from (
     select tag_no, min(sequence) as cancelled_by from clearing.correction
     where account_number = $1 and tag_no = any ($2) and correction = 'C' group by tag_no
   ) as named
   join clearing.activity_key as key on key.external_id = named.tag_no and key.account_number = $1
     and key.firm_id = (select firm_id from clearing.account_books where account_number = $1)
   join clearing.activity on activity.account_number = $1 and activity.process_date = key.process_date
     and activity.sequence = key.sequence
   where activity.correction is distinct from 'C' and ${knownLine('$3', 'activity.sequence')}`,
)

/** The lines that cancels with these tags reverse, as known at `lines`. */
export function readOriginals(
  tx: Tx,
  accountNumber: string,
  tags: readonly string[],
  lines: number | null,
): Promise<(AmountRow & { external_id: string; cancelled_by: bigint })[]> {
  return tx.rows(selectOriginals, [accountNumber, tags, lines])
}

const selectAll = statement<AmountRow & { readonly currency: string }>(
  'select-amounts-of-account',
  `select ${amountColumns}, activity.currency, ${movedColumn('$2')} from clearing.activity where account_number = $1`,
)

/** All lines of an account, in pages. */
export function pageAmounts(tx: Tx, accountNumber: string, rowsMax: number) {
  return tx.pages(selectAll, [accountNumber, null], rowsMax)
}
