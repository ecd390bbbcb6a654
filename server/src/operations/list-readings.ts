/**
 * list-readings: each access to unmasked personal numbers and document contents, with its person and time.
 */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { checkDayRanges } from '../paging/check-day-ranges.ts'
import { cursorOf } from '../paging/cursor.ts'
import { accountNumber, time, words } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { findReadings } from '../store/audit-search.ts'
import type { Handler } from './context.ts'

const traceIdLengthMax = 100
const places = cursorOf('list-readings', [time, accountNumber, words(traceIdLengthMax)])

export const listReadings: Handler<'list-readings'> = async (request, { tx }) => {
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const wrong = checkDayRanges(request, [['dateFrom', 'dateTo']])
  if (wrong.length > 0) return new Rejected(wrong)
  const { accountNumber, reader, dateFrom, dateTo, size = limits.pageSizeDefault } = request
  const filter = { accountNumber, reader, dateFrom, dateTo }
  const found = await findReadings(tx, filter, after, size + 1)
  const { rows, next } = pageOfRows(found, size, places, (row) => [row.at, row.account_number, row.trace_id])
  return {
    readings: rows.map((row) => ({
      at: row.at,
      firmId: row.firm_id,
      accountNumber: row.account_number,
      reader: row.client_id,
      operation: row.operation,
      traceId: row.trace_id,
      reason: row.reason,
    })),
    next,
  }
}
