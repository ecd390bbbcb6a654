/**
 * Facts with a natural key. A fact is a duplicate if the same key and values are stored, or come earlier in the batch.
 * With other values it is a conflict, and the stored fact counts, unless the line has a correctionId: then its values
 * count from now on (decision 246).
 */
import { type Rejection, reject } from '@clearing/protocol/values'
import type { Statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { writeAuditRow } from '../../store/audit.ts'
import { type Cell, Rows } from '../../store/books/bulk.ts'
import type { CorrectionStatements, OtherRows } from '../../store/books/correct-facts.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import { holdBusinessDay, marketDayOf } from '../../store/business-day.ts'
import { clearingFirmId } from '../../store/firms.ts'
import type { ReadLines } from './read-lines.ts'
import type { BatchOutcome, Load } from './run-load.ts'

/**
 * A type of fact: the statement that stores it, the query for stored rows with the same key and other values, and the
 * statements for its corrections.
 */
export interface KeyedFacts {
  /** Skips existing rows. `$2` is the current market day, for books in which no business day was opened. */
  readonly insert: Statement<never>
  readonly others: OtherRows
  readonly corrections: CorrectionStatements
  /** The rows name their load. The rows of corrections always do. */
  readonly withLoad: boolean
}

/** A line as cells in the order of the table's columns: its key, and all others before the load. */
export interface KeyedLine {
  readonly key: readonly Cell[]
  readonly values: readonly Cell[]
}

/** Rows, and the lines that they come from. */
interface SourcedRows {
  readonly rows: Rows
  readonly sources: number[]
}

/** The first row of each key, and the rows that repeat a key. */
interface RowsByKey {
  readonly firsts: SourcedRows
  readonly repeats: SourcedRows
}

/** Rows ready to write. The key of a correction includes its id. */
export interface ReadyRows {
  readonly facts: RowsByKey
  readonly corrections: RowsByKey
  readonly refused: readonly RefusedLine[]
}

interface WrittenRows {
  readonly accepted: number
  readonly conflicts: readonly RefusedLine[]
  readonly refused: readonly RefusedLine[]
}

const namedMax = 100

/** Corrections are written after the facts of the batch, because they may correct them. */
export async function writeRows(
  tx: Tx,
  kind: KeyedFacts,
  { facts, corrections, refused }: ReadyRows,
  load: Load,
): Promise<BatchOutcome> {
  holdBusinessDay(tx)
  const day = marketDayOf(load.now())
  const written = [
    await writeFacts(tx, kind, facts, day),
    await writeCorrections(tx, kind.corrections, corrections, load),
  ]
  const conflicts = written.flatMap((one) => one.conflicts)
  const unfounded = written.flatMap((one) => one.refused)
  const accepted = written.reduce((sum, one) => sum + one.accepted, 0)
  const received = [facts, corrections].reduce(
    (sum, { firsts, repeats }) => sum + firsts.rows.count + repeats.rows.count,
    0,
  )
  return {
    accepted,
    duplicates: received - accepted - conflicts.length - unfounded.length,
    conflicts: inOrder(conflicts),
    refused: inOrder([...refused, ...unfounded]),
  }
}

function inOrder(lines: readonly RefusedLine[]): RefusedLine[] {
  return [...lines].sort((a, b) => a.line - b.line)
}

async function writeFacts(
  tx: Tx,
  { insert, others }: KeyedFacts,
  { firsts, repeats }: RowsByKey,
  day: string,
): Promise<WrittenRows> {
  const accepted = firsts.rows.count === 0 ? 0 : await tx.run(insert, [firsts.rows.bytes(), day])
  const known = accepted === firsts.rows.count ? [repeats] : [firsts, repeats]
  const conflicts = await findLines(tx, others, known, ({ fields }) => fields.map(otherFact))
  return { accepted, conflicts, refused: [] }
}

async function writeCorrections(
  tx: Tx,
  { insert, others, unfounded }: CorrectionStatements,
  { firsts, repeats }: RowsByKey,
  load: Load,
): Promise<WrittenRows> {
  if (firsts.rows.count === 0) return { accepted: 0, conflicts: [], refused: [] }
  const now = load.now()
  const stored = await tx.rows(insert, [firsts.rows.bytes(), marketDayOf(now)])
  if (stored.length > 0) {
    writeAuditRow(tx, {
      firmId: clearingFirmId,
      at: now,
      actor: load.clientId,
      action: load.kind,
      target: load.loadId,
      traceId: load.traceId,
      detail: { corrected: stored.length, facts: stored.slice(0, namedMax).map(({ fact }) => fact) },
    })
  }
  const known = stored.length === firsts.rows.count ? [repeats] : [firsts, repeats]
  const conflicts = await findLines(tx, others, known, ({ fields }) => fields.map(otherCorrection))
  const refused = await findLines(tx, unfounded, known, () => [
    reject('ERR.2003', 'correctionId', 'There is no fact with this key that the line could correct.'),
  ])
  return { accepted: stored.length, conflicts, refused }
}

async function findLines<Row extends { readonly place: bigint }>(
  tx: Tx,
  find: Statement<Row>,
  known: readonly SourcedRows[],
  reasons: (row: Row) => Rejection[],
): Promise<RefusedLine[]> {
  const found: RefusedLine[] = []
  for (const { rows, sources } of known) {
    if (rows.count === 0) continue
    for (const row of await tx.rows(find, [rows.bytes()])) {
      found.push({ line: sources[Number(row.place) - 1] as number, rejections: reasons(row) })
    }
  }
  return found
}

function otherFact(field: string): Rejection {
  const reason = `A fact with this key is stored with another ${field}. To correct it, send the line with a correctionId.`
  return reject('ERR.2018', field, reason)
}

function otherCorrection(field: string): Rejection {
  const reason = `A correction of this fact with this correctionId is stored with another ${field}.`
  return reject('ERR.2018', field, reason)
}

/** `read` returns the cells of a line, or the reason why it cannot be stored. */
export function makeRows<Values extends { readonly correctionId?: string }>(
  lines: ReadLines<Values>,
  { withLoad }: Pick<KeyedFacts, 'withLoad'>,
  loadId: string,
  read: (values: Values) => Rejection[] | KeyedLine,
): ReadyRows {
  const refused = [...lines.refused]
  const keys = new Set<string>()
  const facts = noRows()
  const corrections = noRows()
  for (const { source, values } of lines.lines) {
    const line = read(values)
    if (!('key' in line)) {
      refused.push({ line: source, rejections: line })
      continue
    }
    const { correctionId } = values
    const key = [correctionId ?? '', ...line.key].join('\t')
    const { firsts, repeats } = correctionId === undefined ? facts : corrections
    const { rows, sources } = keys.has(key) ? repeats : firsts
    keys.add(key)
    if (correctionId === undefined) rows.add(...line.key, ...line.values, ...(withLoad ? [loadId] : []), null)
    else rows.add(...line.key, null, correctionId, ...line.values, loadId, null)
    sources.push(source)
  }
  return { facts, corrections, refused: inOrder(refused) }
}

function noRows(): RowsByKey {
  return { firsts: { rows: new Rows(), sources: [] }, repeats: { rows: new Rows(), sources: [] } }
}
