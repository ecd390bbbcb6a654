/** The amounts of lines of activity, and the amounts that their entries moved. */
import { type AcctType, HELD_TRANS_TYPES, type TransType } from '@clearing/domain/books'
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
  readonly sec_no: bigint | null
  /** Signed, for a line that does not depend on the position. */
  readonly units: string
  /**
   * For a line that depends on the position: the securities that its entries moved, each as its number and the signed
   * quantity, that of the line first; null if they moved none. It is not read for trades.
   */
  readonly moved_units?: string | null
}

export const amountColumns =
  'activity.record, activity.sequence, activity.correction, activity.tag_no, activity.net_amount, activity.trans_type, activity.sec_no, trim_scale(activity.quantity)::text as units'

/**
 * The SQL condition for a line that is known in a view. `lines` is the sequence of the last line known, null for all.
 */
export function knownLine(lines: string, sequence: string): string {
  return `(${lines}::bigint is null or ${sequence} <= ${lines}::bigint)`
}

export const heldKinds = HELD_TRANS_TYPES.map((kind) => `'${kind}'`).join(', ')

// Includes corrections that late lines caused, and excludes the reversal of a cancelled line.
function legsOf(lines: string): string {
  return `(
      select activity.ledger, activity.asset, activity.amount
      union all
      select ledger, asset, amount from clearing.entry
      where entry.account_number = activity.account_number and of_line = activity.sequence and kind in ('P', 'A')
        and ${knownLine(lines, 'caused_by')}
    ) as posted cross join unnest(ledger, asset, amount) as leg (ledger, asset, amount)`
}

export function movedColumn(lines: string): string {
  return `case when trans_type in (${heldKinds}) then (
    select trim_scale(sum(leg.amount))::text from ${legsOf(lines)}
    where leg.ledger = 'customer' and leg.asset = activity.currency
  ) end as moved`
}

/** The SQL condition for an asset that is a security; currencies have letters. */
export function isSecurity(asset: string): string {
  return `${asset} ~ '^[0-9]+$'`
}

/** What lines moved in cash and in securities. */
export function movedColumns(lines: string): string {
  return `${movedColumn(lines)}, case when trans_type in (${heldKinds}) then (
    select string_agg(concat(asset, ' ', trim_scale(units)), ' ' order by asset <> activity.sec_no::text, asset)
    from (
      select leg.asset, sum(leg.amount) as units from ${legsOf(lines)}
      where leg.ledger = 'customer' and ${isSecurity('leg.asset')} group by leg.asset having sum(leg.amount) <> 0
    ) as security
  ) end as moved_units`
}

// The first cancel of a line reverses it. A cancel reverses no cancel.
const selectOriginals = statement<OriginalRow>(
  'select-originals-of-cancels',
  `select ${amountColumns}, named.account_number, activity.external_id, named.cancelled_by, ${movedColumns('named.lines')}
   from (
     select account_number, tag_no, lines, min(sequence) as cancelled_by
     from unnest($1::text[], $2::text[], $3::bigint[]) as cancel (account_number, tag_no, lines)
     join clearing.correction using (account_number, tag_no)
     where correction = 'C' group by account_number, tag_no, lines
   ) as named
   join clearing.account_books as books using (account_number)
   join clearing.activity_key as key on key.firm_id = books.firm_id and key.external_id = named.tag_no
     and key.account_number = named.account_number
   join clearing.activity on activity.account_number = named.account_number and activity.process_date = key.process_date
     and activity.sequence = key.sequence
   where activity.correction is distinct from 'C' and ${knownLine('named.lines', 'activity.sequence')}`,
)

/** A line that a cancel reverses. */
export interface OriginalRow extends AmountRow {
  readonly account_number: string
  readonly external_id: string
  /** The sequence of the cancel. */
  readonly cancelled_by: bigint
}

/** A line that a cancel names, as it is known at `lines` (null: now). */
export interface CancelledLine {
  readonly accountNumber: string
  readonly tagNo: string | null
  readonly lines: number | null
}

/** The lines that cancels reverse. */
export async function readOriginals(tx: Tx, cancelled: readonly CancelledLine[]): Promise<OriginalRow[]> {
  if (cancelled.length === 0) return []
  return tx.rows(selectOriginals, [
    cancelled.map(({ accountNumber }) => accountNumber),
    cancelled.map(({ tagNo }) => tagNo),
    cancelled.map(({ lines }) => lines),
  ])
}

const selectAll = statement<AmountRow & { readonly currency: string; readonly acct_type: AcctType }>(
  'select-amounts-of-account',
  `select ${amountColumns}, activity.currency, activity.acct_type, ${movedColumns('$2')} from clearing.activity where account_number = $1`,
)

/** All lines of an account, in pages. */
export function pageAmounts(tx: Tx, accountNumber: string, rowsMax: number) {
  return tx.pages(selectAll, [accountNumber, null], rowsMax)
}
