/**
 * What lines moved, as their records state it: cash and securities, positive into the account. For a line that depends
 * on the position it is the sum of its entries; for a cancel, that of its original negated. The sum of the netAmounts
 * of an account in a currency is its cash, and the sum of the securities moved is its position (`verify-books` proves
 * both).
 */
import { dependsOnHolding, movesQuantity } from '@clearing/domain/books'
import type { Tx } from '../../database/transaction.ts'
import { type AmountRow, readOriginals } from '../../store/books/amounts.ts'
import { decimalOfColumn } from '../../store/books/bulk.ts'
import { type AmountsOfLine, amountsOf, splitRecord } from '../activity-record.ts'

/** The units of a security that a line moved, a signed decimal number. */
export interface MovedUnits {
  readonly secNo: string
  readonly quantity: string
}

/** A line with the values of its record and what it moved. */
export interface AnsweredLine<Row> {
  readonly row: Row
  readonly values: string[]
  readonly amounts: AmountsOfLine
  /** None of 0. That of the security of the record comes first. */
  readonly moved: readonly MovedUnits[]
  /** A cancel that reverses no line. */
  readonly isWithoutEffect: boolean
}

/** What lines of an account moved. */
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
    const isWithoutEffect = row.correction === 'C' && original === undefined
    return { row, values, isWithoutEffect, ...movedByRow(row, amountsOf(values), original) }
  })
}

function movedByRow(
  row: AmountRow,
  kept: AmountsOfLine,
  original: AmountRow | undefined,
): Pick<AnsweredLine<AmountRow>, 'amounts' | 'moved'> {
  if (row.correction !== 'C') return movedByLine(row, kept)
  // A cancel that cancels nothing moved nothing.
  if (original === undefined)
    return { amounts: { ...kept, netAmount: textOf('0', kept.netAmount) }, moved: [] }
  const { amounts, moved } = movedByLine(original, amountsOf(splitRecord(original.record)))
  return {
    amounts: { netAmount: negated(amounts.netAmount), quantity: negated(amounts.quantity) },
    moved: moved.map(({ secNo, quantity }) => ({ secNo, quantity: negated(quantity) })),
  }
}

function movedByLine(
  row: AmountRow,
  kept: AmountsOfLine,
): Pick<AnsweredLine<AmountRow>, 'amounts' | 'moved'> {
  const moved = unitsOf(row)
  return {
    amounts: { netAmount: cashOf(row, kept.netAmount), quantity: quantityOf(row, kept, moved) },
    moved,
  }
}

function cashOf({ trans_type, net_amount, moved }: AmountRow, kept: string): string {
  return textOf((dependsOnHolding(trans_type) ? moved : net_amount) ?? '0', kept)
}

function unitsOf({ trans_type, sec_no, units, moved_units }: AmountRow): MovedUnits[] {
  if (dependsOnHolding(trans_type)) return parseUnits(moved_units)
  if (!movesQuantity(trans_type) || sec_no === null || units === '0') return []
  return [{ secNo: String(sec_no), quantity: units }]
}

/** Numbers of securities, each followed by its quantity. */
export function parseUnits(text: string | null | undefined): MovedUnits[] {
  const words = text ? text.split(' ') : []
  const moved: MovedUnits[] = []
  for (let at = 1; at < words.length; at += 2)
    moved.push({ secNo: words[at - 1] as string, quantity: words[at] as string })
  return moved
}

/** The quantity of the feed. If the feed left it out and it depends on the position, the units that the line moved. */
function quantityOf(
  { trans_type, sec_no }: AmountRow,
  { quantity }: AmountsOfLine,
  moved: readonly MovedUnits[],
): string {
  if (!dependsOnHolding(trans_type) || !isZero(quantity)) return quantity
  return moved.find(({ secNo }) => secNo === String(sec_no))?.quantity ?? quantity
}

const decimalText = /^-?\d+(\.\d{1,10})?$/

/** The quantity in the record of a cancel without effect. */
export function withoutQuantity(amounts: AmountsOfLine): AmountsOfLine {
  return isZero(amounts.quantity) ? amounts : { ...amounts, quantity: '0' }
}

/** The stored text if it has the same value, because feeds format amounts in many ways. */
function textOf(amount: string, kept: string): string {
  if (amount === kept || !decimalText.test(kept)) return amount
  return decimalOfColumn(amount) === decimalOfColumn(kept) ? kept : amount
}

function negated(text: string): string {
  if (isZero(text)) return text
  return text.startsWith('-') ? text.slice(1) : `-${text}`
}

function isZero(text: string): boolean {
  return /^-?[0.]*$/.test(text)
}
