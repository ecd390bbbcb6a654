/**
 * The cash that lines moved, positive into the account, as their records state it. For a line that depends on the
 * position it is the sum of its entries; for a cancel, the amount of its original negated. The sum of the netAmounts of
 * an account in a currency is its cash (`verify-books` proves it).
 */
import { dependsOnHolding } from '@clearing/domain/books'
import type { Tx } from '../../database/transaction.ts'
import { type AmountRow, readOriginals } from '../../store/books/amounts.ts'
import { decimalOfColumn } from '../../store/books/bulk.ts'
import { type AmountsOfLine, amountsOf, splitRecord } from '../activity-record.ts'

/** A line with the values of its record and the amount that it moved. */
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
  const cancels = rows.filter(({ correction }) => correction === 'C')
  const originals = await readOriginals(
    tx,
    cancels.map(({ tag_no: tagNo }) => ({ accountNumber, tagNo, lines })),
  )
  const takenBack = new Map(originals.map((original) => [original.cancelled_by, original]))
  return rows.map((row) => {
    const values = splitRecord(row.record)
    const original = row.correction === 'C' ? takenBack.get(row.sequence) : undefined
    return { row, values, amounts: amountsOfRow(row, amountsOf(values), original) }
  })
}

function amountsOfRow(row: AmountRow, kept: AmountsOfLine, original: AmountRow | undefined): AmountsOfLine {
  if (row.correction !== 'C') return { ...kept, netAmount: movedBy(row, kept.netAmount) }
  // A cancel that cancels nothing moved nothing.
  if (original === undefined) return { ...kept, netAmount: textOf('0', kept.netAmount) }
  const { netAmount, quantity } = amountsOf(splitRecord(original.record))
  return { netAmount: negated(movedBy(original, netAmount)), quantity: negated(quantity) }
}

function movedBy({ trans_type, net_amount, moved }: AmountRow, kept: string): string {
  return textOf((dependsOnHolding(trans_type) ? moved : net_amount) ?? '0', kept)
}

const decimalText = /^-?\d+(\.\d{1,10})?$/

/** The stored text if it has the same value, because feeds format amounts in many ways. */
function textOf(amount: string, kept: string): string {
  if (amount === kept || !decimalText.test(kept)) return amount
  return decimalOfColumn(amount) === decimalOfColumn(kept) ? kept : amount
}

function negated(text: string): string {
  if (text === '' || /^-?[0.]+$/.test(text)) return text
  return text.startsWith('-') ? text.slice(1) : `-${text}`
}
