/** list-readings: who read personal numbers in full, or a document's content, and when. */
import { limits } from '@clearing/protocol'
import type { Handler } from '../context.ts'
import { findReadings } from '../store/audit-search.ts'
import { checkDays } from './audit-filter.ts'
import { cursorForms, cursorRefused, pageOfRows, parseCursor } from './cursor.ts'

export const listReadings: Handler<'list-readings'> = async (request, { tx }) => {
  const after = parseCursor(request.after, [cursorForms.time, cursorForms.account, cursorForms.words])
  if (after === null) return cursorRefused()
  const refused = checkDays(request)
  if (refused !== undefined) return refused
  const { accountNumber, reader, dateFrom, dateTo, size = limits.pageSizeDefault } = request
  const filter = { accountNumber, reader, dateFrom, dateTo }
  const found = await findReadings(tx, filter, after as [string, string, string] | undefined, size + 1)
  const { rows, next } = pageOfRows(found, size, (row) => [row.at, row.account_number, row.trace_id])
  return {
    readings: rows.map((row) => ({
      at: row.at,
      firmId: row.firm_id,
      accountNumber: row.account_number,
      reader: row.client_id,
      operation: row.operation,
      traceId: row.trace_id,
    })),
    next,
  }
}
