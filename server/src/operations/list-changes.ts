/** list-changes: what a second person approves, or did, the newest first. */
import { limits } from '@clearing/protocol'
import { renderChange } from '../changes/render-change.ts'
import type { Handler } from '../context.ts'
import { findChanges } from '../store/changes.ts'
import { cursorForms, cursorRefused, pageOfRows, parseCursor } from './cursor.ts'
import { firmNotFound, parseFirmId } from './firm-request.ts'

export const listChanges: Handler<'list-changes'> = async (request, { tx }) => {
  const after = parseCursor(request.after, [cursorForms.time, cursorForms.id])
  if (after === null) return cursorRefused()
  const firmId = request.firmId === undefined ? undefined : parseFirmId(request.firmId)
  if (request.firmId !== undefined && firmId === undefined) return firmNotFound()
  const { state, accountNumber, requestedBy, changeId, size = limits.pageSizeDefault } = request
  if (changeId !== undefined && !cursorForms.id.test(changeId)) return { changes: [], next: '' }
  const filter = { state, firmId, accountNumber, requestedBy, changeId }
  const found = await findChanges(tx, filter, after as [string, string] | undefined, size + 1)
  const { rows, next } = pageOfRows(found, size, (row) => [row.requested_at, row.change_id])
  return { changes: rows.map(renderChange), next }
}
