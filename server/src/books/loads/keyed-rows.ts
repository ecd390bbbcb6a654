/**
 * Facts with a natural key. A fact is a duplicate if the same key and values are stored, or come earlier in
 * the batch. With other values it is a conflict, and the first fact counts.
 */
import { type Rejection, reject } from '@clearing/protocol/values'
import type { Statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { type Cell, Rows } from '../../store/books/bulk.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import type { OtherRows } from '../../store/books/quotes.ts'
import { holdBusinessDay, marketDayOf } from '../../store/business-day.ts'
import type { ReadLines } from './read-lines.ts'
import type { BatchOutcome } from './run-load.ts'

/**
 * A type of fact: the statement that stores it, and the query for stored rows with the same key and other
 * values.
 */
export interface KeyedFacts {
  /** Skips existing rows. `$2` is the current market day, for books in which no business day was opened. */
  readonly insert: Statement<never>
  readonly others: OtherRows
}

/** Rows, and the lines that they come from. */
interface SourcedRows {
  readonly rows: Rows
  readonly sources: number[]
}

/** Rows ready to write: the first row of each key, and the rows that repeat a key. */
export interface ReadyRows {
  readonly firsts: SourcedRows
  readonly repeats: SourcedRows
  readonly refused: readonly RefusedLine[]
}

export async function writeRows(
  tx: Tx,
  { insert, others }: KeyedFacts,
  { firsts, repeats, refused }: ReadyRows,
  now: Date,
): Promise<BatchOutcome> {
  holdBusinessDay(tx)
  const accepted = firsts.rows.count === 0 ? 0 : await tx.run(insert, [firsts.rows.bytes(), marketDayOf(now)])
  const known = accepted === firsts.rows.count ? [repeats] : [firsts, repeats]
  const conflicts: RefusedLine[] = []
  for (const { rows, sources } of known) {
    if (rows.count === 0) continue
    for (const { place, fields } of await tx.rows(others, [rows.bytes()])) {
      const line = sources[Number(place) - 1] as number
      conflicts.push({ line, rejections: fields.map(otherwise) })
    }
  }
  const received = firsts.rows.count + repeats.rows.count
  return { accepted, duplicates: received - accepted - conflicts.length, conflicts, refused }
}

function otherwise(field: string): Rejection {
  return reject('ERR.2018', field, `A fact with this key is stored with another ${field}.`)
}

/** `add` adds the row of the line and returns its key, or the reason why it cannot. */
export function makeRows<Values>(
  read: ReadLines<Values>,
  add: (values: Values, rows: Pick<Rows, 'add'>) => Rejection[] | string,
): ReadyRows {
  const refused = [...read.refused]
  const keys = new Set<string>()
  const firsts: SourcedRows = { rows: new Rows(), sources: [] }
  const repeats: SourcedRows = { rows: new Rows(), sources: [] }
  for (const { source: line, values } of read.lines) {
    let cells: Cell[] = []
    const row = {
      add(...given: Cell[]) {
        cells = given
      },
    }
    const key = add(values, row)
    if (typeof key !== 'string') {
      refused.push({ line, rejections: key })
      continue
    }
    const { rows, sources } = keys.has(key) ? repeats : firsts
    keys.add(key)
    rows.add(...cells)
    sources.push(line)
  }
  return { firsts, repeats, refused: refused.sort((a, b) => a.line - b.line) }
}
