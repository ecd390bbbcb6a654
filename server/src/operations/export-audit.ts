/**
 * export-audit: the matching rows as a file. Rows are read in pages while the file is written, so memory does
 * not grow with its length. The file has the rows that existed when the export began, because later rows
 * would leave gaps in the chains.
 */
import { renderCsvCell } from '@clearing/protocol'
import { FileAnswer, Rejected } from '../answers.ts'
import { parseAuditFilter } from '../audit/audit-filter.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { checkDayRanges } from '../paging/check-day-ranges.ts'
import {
  type AuditFilter,
  type AuditPosition,
  type FoundAuditRow,
  findAuditRows,
  readChainLengths,
} from '../store/audit-search.ts'
import { easternDay } from '../store/books/calendar.ts'
import type { Handler } from './context.ts'

const pageRows = 1_000

export const exportAudit: Handler<'export-audit'> = async (request, context) => {
  const filter = parseAuditFilter(request)
  if (filter instanceof Rejected) return filter
  const wrong = checkDayRanges(request, [['dateFrom', 'dateTo']])
  if (wrong.length > 0) return new Rejected(wrong)
  const { now, parts } = context
  const csv = request.format === 'CSV'
  const name = `audit-${easternDay(now)}.${csv ? 'csv' : 'ndjson'}`
  const mediaType = csv ? 'text/csv; charset=utf-8' : 'application/x-ndjson'
  return new FileAnswer(name, mediaType, undefined, writeRows(parts.loads, filter, csv))
}

async function* writeRows(pool: Pool, filter: AuditFilter, csv: boolean): AsyncGenerator<Buffer> {
  if (csv) yield Buffer.from(`${columns.join(',')}\r\n`)
  const readOnly = { firm: null, readOnly: true, repeatable: true }
  const lengths = await inTransaction(pool, readOnly, readChainLengths)
  let after: AuditPosition | undefined
  for (;;) {
    const rows = await inTransaction(pool, readOnly, (tx) =>
      findAuditRows(tx, { ...filter, lengths }, after, pageRows),
    )
    const last = rows.at(-1)
    if (last === undefined) return
    yield Buffer.from(rows.map(csv ? renderCsv : renderJson).join(''))
    if (rows.length < pageRows) return
    after = [last.at, last.firm_id, Number(last.sequence)]
  }
}

const columns = [
  'firmId',
  'firmName',
  'sequence',
  'at',
  'actor',
  'action',
  'accountNumber',
  'target',
  'traceId',
  'detail',
  'previousHash',
  'hash',
] as const

function valuesOf(row: FoundAuditRow): readonly string[] {
  return [
    row.firm_id,
    row.firm_name,
    String(row.sequence),
    row.at,
    row.actor,
    row.action,
    row.account_number,
    row.target,
    row.trace_id,
    row.detail,
    row.previous_hash.toString('hex'),
    row.hash.toString('hex'),
  ]
}

/** The detail is the text from which the hash was computed. */
function renderJson(row: FoundAuditRow): string {
  const values = valuesOf(row)
  return `${JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, values[at]])))}\n`
}

function renderCsv(row: FoundAuditRow): string {
  return `${valuesOf(row).map(renderCsvCell).join(',')}\r\n`
}
