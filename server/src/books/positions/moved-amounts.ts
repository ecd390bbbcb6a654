/**
 * What lines moved in cash, as their records answer it: into the account positive. A line that depends on what is held answers
 * what its entries came to, a cancel what its original moved with the other sign, and every line the sign of the books. So the
 * netAmounts of an account in a currency add up to its cash in it (`verify-books` proves it).
 */
import { dependsOnHolding, HELD_TRANS_TYPES, type TransType } from '@clearing/domain/books'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { decimalOfColumn } from '../../store/books/bulk.ts'
import { type AmountsOfLine, amountsOf, splitRecord } from '../activity-record.ts'

/** What the amounts of a line are told by. */
export interface AmountRow {
  readonly record: string
  readonly sequence: bigint
  readonly correction: 'C' | 'R' | null
  readonly tag_no: string | null
  /** Of a line that does not depend on what is held. */
  readonly net_amount: string | null
  readonly trans_type: TransType
  /** Of one that does: what its entries moved; null for nothing. Not read of trades. */
  readonly moved?: string | null
}

export const amountColumns =
  'activity.record, activity.sequence, activity.correction, activity.tag_no, activity.net_amount, activity.trans_type'

/** Whether a line is known in a view: `lines` is the sequence of the last one, null for all. */
export const knownLine = (lines: string, sequence: string): string =>
  `(${lines}::bigint is null or ${sequence} <= ${lines}::bigint)`

const heldKinds = HELD_TRANS_TYPES.map((kind) => `'${kind}'`).join(', ')

// Corrections of late lines are in it; what takes a cancelled line back is not.
export const movedColumn = (lines: string): string => `case when trans_type in (${heldKinds}) then (
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

// The first cancel of a line takes it back; a cancel takes back no cancel.
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

/** A line with the values of its record, and what it moved. */
export interface AnsweredLine<Row> {
  readonly row: Row
  readonly values: string[]
  readonly amounts: AmountsOfLine
}

/** The amounts of lines of an account. */
export async function readAmounts<Row extends AmountRow>(
  tx: Tx,
  rows: readonly Row[],
  { accountNumber, lines }: { readonly accountNumber: string; readonly lines: number | null },
): Promise<AnsweredLine<Row>[]> {
  const tags = rows.flatMap(({ correction, tag_no }) =>
    correction === 'C' && tag_no !== null ? [tag_no] : [],
  )
  const originals = tags.length === 0 ? [] : await tx.rows(selectOriginals, [accountNumber, tags, lines])
  const takenBack = new Map(originals.map((original) => [original.cancelled_by, original]))
  return rows.map((row) => {
    const values = splitRecord(row.record)
    const original = row.correction === 'C' ? takenBack.get(row.sequence) : undefined
    return { row, values, amounts: amountsOfRow(row, amountsOf(values), original) }
  })
}

function amountsOfRow(row: AmountRow, kept: AmountsOfLine, original: AmountRow | undefined): AmountsOfLine {
  if (row.correction !== 'C') return { ...kept, netAmount: movedBy(row, kept.netAmount) }
  // What takes nothing back moved nothing.
  if (original === undefined) return { ...kept, netAmount: textOf('0', kept.netAmount) }
  const { netAmount, quantity } = amountsOf(splitRecord(original.record))
  return { netAmount: negated(movedBy(original, netAmount)), quantity: negated(quantity) }
}

function movedBy({ trans_type, net_amount, moved }: AmountRow, kept: string): string {
  return textOf((dependsOnHolding(trans_type) ? moved : net_amount) ?? '0', kept)
}

const decimalText = /^-?\d+(\.\d{1,10})?$/

/** The text that is kept where it is of that amount: feeds write cents as they like. */
function textOf(amount: string, kept: string): string {
  if (amount === kept || !decimalText.test(kept)) return amount
  return decimalOfColumn(amount) === decimalOfColumn(kept) ? kept : amount
}

function negated(text: string): string {
  if (text === '' || /^-?[0.]+$/.test(text)) return text
  return text.startsWith('-') ? text.slice(1) : `-${text}`
}
