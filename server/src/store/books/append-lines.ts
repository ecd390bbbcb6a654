/** Appends lines of activity, each with its posting in the same row. */
import type { Entry } from '@clearing/domain/books'
import { renderDecimal, ZERO } from '@clearing/domain/decimal'
import { type GatheredRows, insertRows, quoteCell, quotedCell } from './bulk.ts'
import { renderLegs } from './entries.ts'
import { renderTerms } from './line-terms.ts'
import type { StoredLine } from './lines.ts'

export interface NewLine extends StoredLine {
  readonly accountNumber: string
  readonly firmId: string
  readonly orderId: string | undefined
  readonly record: string
  /** Number of the line in its load. */
  readonly source: number
  readonly posting: Posting | undefined
}

/** The posting of a line at its entry. */
export interface Posting {
  readonly entryNo: bigint
  readonly entry: Entry
}

const insertLines = insertRows('insert-activity', 'activity')
const insertKeys = insertRows('insert-activity-keys', 'activity_key')
const insertCorrections = insertRows('insert-corrections', 'correction')

/** The constraint that a line violates when a concurrent load books the same line for another account. */
export const lineKept = 'activity_key_pkey'

function optionalCell(value: bigint | undefined): string | null {
  return value === undefined ? null : renderDecimal(value)
}

function optionalText(text: string | undefined): string | null {
  return text === undefined ? null : quoteCell(text)
}

const nothingPosted = [null, null, null] as const

/** Appends lines with their postings in the order of entry. */
export function appendLines(
  to: GatheredRows,
  lines: readonly NewLine[],
  load: { readonly loadId: string; readonly enteredOn: string },
): void {
  const keys = to.of(insertKeys)
  const rows = to.of(insertLines)
  for (const { line, processDate, accountNumber, firmId, orderId, record, source, posting } of lines) {
    const [ledgers, assets, amounts] = posting === undefined ? nothingPosted : renderLegs(posting.entry)
    const correction = line.cancels ? 'C' : line.rebills ? 'R' : null
    const externalId = quoteCell(line.externalId)
    const tagNo = line.tagNo === undefined ? null : quoteCell(line.tagNo)
    // In the order of the feed: its ids usually ascend, so that the index grows at its end.
    keys.addAt(source, firmId, externalId, accountNumber, processDate, line.sequence)
    rows.addPlain(
      accountNumber,
      firmId,
      processDate,
      line.sequence,
      externalId,
      line.acctType,
      line.transType,
      line.buySell ?? null,
      line.security?.key ?? null,
      line.toSecurity?.key ?? null,
      renderDecimal(line.quantity),
      optionalCell(line.price),
      renderDecimal(line.commission),
      renderDecimal(line.secFee),
      renderDecimal(line.interest),
      optionalCell(line.netAmount),
      line.currency,
      line.tradeDate,
      line.settleDate,
      line.asOfDate ?? null,
      optionalText(line.lotId),
      optionalText(orderId),
      correction,
      correction === null ? null : tagNo,
      line.fxRate === ZERO ? null : renderDecimal(line.fxRate),
      renderTerms(line),
      load.loadId,
      load.enteredOn,
      quotedCell(record),
      posting?.entryNo ?? null,
      ledgers,
      assets,
      amounts,
    )
    if (correction !== null && line.tagNo !== undefined) {
      to.of(insertCorrections).add(
        accountNumber,
        line.tagNo,
        line.sequence,
        firmId,
        correction,
        line.security?.key ?? '0',
      )
    }
  }
}
