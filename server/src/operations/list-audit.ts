/** list-audit: rows of the audit trail that match every filter, the newest first. */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { parseAuditFilter } from '../audit/audit-filter.ts'
import { checkDayRanges } from '../paging/check-day-ranges.ts'
import { cursorOf } from '../paging/cursor.ts'
import { time, uuid, whole } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { findAuditRows } from '../store/audit-search.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-audit', [time, uuid, whole(Number.MAX_SAFE_INTEGER)])

export const listAudit: Handler<'list-audit'> = async (request, { tx }) => {
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const filter = parseAuditFilter(request)
  if (filter instanceof Rejected) return filter
  const wrong = checkDayRanges(request, [['dateFrom', 'dateTo']])
  if (wrong.length > 0) return new Rejected(wrong)
  const size = request.size ?? limits.pageSizeDefault
  const found = await findAuditRows(tx, filter, after, size + 1)
  const { rows, next } = pageOfRows(found, size, places, (row) => [row.at, row.firm_id, Number(row.sequence)])
  return {
    rows: rows.map((row) => ({
      firmId: row.firm_id,
      firmName: row.firm_name,
      sequence: Number(row.sequence),
      at: row.at,
      actor: row.actor,
      action: row.action,
      accountNumber: row.account_number,
      target: row.target,
      traceId: row.trace_id,
      detail: JSON.parse(row.detail) as unknown,
    })),
    next,
  }
}
