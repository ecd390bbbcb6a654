/** list-audit: rows of the audit trail that fit every filter, the newest first. */
import { limits } from '@clearing/protocol'
import { type Handler, Rejected } from '../context.ts'
import { type AuditPlace, findAuditRows } from '../store/audit-search.ts'
import { parseAuditFilter } from './audit-filter.ts'
import { cursorForms, cursorRefused, pageOfRows, parseCursor } from './cursor.ts'

export const listAudit: Handler<'list-audit'> = async (request, { tx }) => {
  const after = parseCursor(request.after, [cursorForms.time, cursorForms.id, cursorForms.number])
  if (after === null) return cursorRefused()
  const filter = parseAuditFilter(request)
  if (filter instanceof Rejected) return filter
  const size = request.size ?? limits.pageSizeDefault
  const found = await findAuditRows(tx, filter, after as AuditPlace | undefined, size + 1)
  const { rows, next } = pageOfRows(found, size, (row) => [row.at, row.firm_id, String(row.sequence)])
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
