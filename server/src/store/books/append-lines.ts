/** Appends lines of activity, each with its posting in the same row. */
import type { Entry } from '@clearing/domain/books'
import { renderDecimal, ZERO } from '@clearing/domain/decimal'
import { type GatheredRows, insertRows } from './bulk.ts'
import { addLegs } from './entries.ts'
import { renderTerms } from './line-terms.ts'
import type { StoredLine } from './lines.ts'

export interface NewLine extends StoredLine {
  readonly accountNumber: string
  readonly firmId: string
  readonly orderId: string | undefined
  /** The values of the record, in their order. */
  readonly record: readonly string[]
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

/** Separates the values of a stored record, which do not contain it. */
export const recordSeparator = '\t'

/** The constraint that a line violates when a concurrent load books the same line for another account. */
export const lineKept = 'activity_key_pkey'

function optionalCell(value: bigint | undefined): string | null {
  return value === undefined ? null : renderDecimal(value)
}

/** Appends a line with its posting. Lines of an account follow each other in the order of entry. */
export function appendLine(
  to: GatheredRows,
  { line, processDate, accountNumber, firmId, orderId, record, source, posting }: NewLine,
  load: { readonly loadId: string; readonly enteredOn: string },
): void {
  const correction = line.cancels ? 'C' : line.rebills ? 'R' : null
  const keys = to.of(insertKeys)
  // In the order of the feed: its ids usually ascend, so that the index grows at its end.
  keys.begin(source)
  keys.plain(firmId)
  keys.text(line.externalId)
  keys.plain(accountNumber, processDate, line.sequence)
  keys.end()
  const row = to.of(insertLines)
  row.begin()
  row.plain(accountNumber, firmId, processDate, line.sequence)
  row.text(line.externalId)
  row.plain(line.acctType, line.transType, line.buySell ?? null)
  row.plain(line.security?.key ?? null, line.toSecurity?.key ?? null)
  row.plain(renderDecimal(line.quantity), optionalCell(line.price), renderDecimal(line.commission))
  row.plain(renderDecimal(line.secFee), renderDecimal(line.interest), optionalCell(line.netAmount))
  row.plain(line.currency, line.tradeDate, line.settleDate, line.asOfDate ?? null)
  row.text(line.lotId)
  row.text(orderId)
  row.plain(correction)
  row.text(correction === null ? null : line.tagNo)
  row.plain(line.fxRate === ZERO ? null : renderDecimal(line.fxRate), renderTerms(line))
  row.plain(load.loadId, load.enteredOn)
  row.joined(record, recordSeparator)
  if (posting === undefined) row.plain(null, null, null, null)
  else {
    row.plain(posting.entryNo)
    addLegs(row, posting.entry)
  }
  row.end()
  if (correction !== null && line.tagNo !== undefined) {
    const secNo = line.security?.key ?? '0'
    to.of(insertCorrections).add(accountNumber, line.tagNo, line.sequence, firmId, correction, secNo)
  }
}
