/** Facts with a key of their own: of two lines with one key the first counts, the other is a duplicate. */
import type { Rejection } from '@clearing/protocol'
import type { Statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { Rows } from '../../store/books/bulk.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import { holdBusinessDay, marketDayOf } from '../../store/business-day.ts'
import type { ReadLines } from './read-lines.ts'
import type { BatchOutcome } from './run-load.ts'

/** Rows that are ready, each key once. */
export interface ReadyRows {
  readonly rows: Rows
  readonly repeats: number
  readonly refused: readonly RefusedLine[]
}

/** `insert` passes over what is there already; `$2` is the market day of now, for books that no business day was opened in. */
export const writeRows = async (
  tx: Tx,
  insert: Statement<never>,
  ready: ReadyRows,
  now: Date,
): Promise<BatchOutcome> => {
  const { rows, repeats, refused } = ready
  holdBusinessDay(tx)
  const accepted = rows.count === 0 ? 0 : await tx.run(insert, [rows.text(), marketDayOf(now)])
  return { accepted, duplicates: rows.count - accepted + repeats, refused }
}

/** `add` adds the line's row and answers its key, or why it cannot. */
export const makeRows = <Values>(
  read: ReadLines<Values>,
  add: (values: Values, rows: Rows) => Rejection[] | string,
): ReadyRows => {
  const refused = [...read.refused]
  const keys = new Set<string>()
  const rows = new Rows()
  let repeats = 0
  for (const { source: line, values } of read.lines) {
    const single = new Rows()
    const added = add(values, single)
    if (typeof added !== 'string') refused.push({ line, rejections: added })
    else if (keys.has(added)) repeats += 1
    else {
      keys.add(added)
      add(values, rows)
    }
  }
  return { rows, repeats, refused: refused.sort((a, b) => a.line - b.line) }
}
