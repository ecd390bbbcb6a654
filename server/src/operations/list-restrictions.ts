/** list-restrictions: of one account or of all, the newest first. */
import { limits } from '@clearing/protocol'
import { renderRestriction } from '../changes/restrict.ts'
import type { Handler } from '../context.ts'
import { findRestrictions } from '../store/restrictions.ts'
import { cursorForms, cursorRefused, pageOfRows, parseCursor } from './cursor.ts'
import { firmNotFound, parseFirmId } from './firm-request.ts'

export const listRestrictions: Handler<'list-restrictions'> = async (request, { tx }) => {
  const after = parseCursor(request.after, [cursorForms.time, cursorForms.id])
  if (after === null) return cursorRefused()
  const firmId = request.firmId === undefined ? undefined : parseFirmId(request.firmId)
  if (request.firmId !== undefined && firmId === undefined) return firmNotFound()
  const { accountNumber, inForce, size = limits.pageSizeDefault } = request
  const found = await findRestrictions(
    tx,
    { accountNumber, firmId, inForce },
    after as [string, string],
    size + 1,
  )
  const { rows, next } = pageOfRows(found, size, (row) => [row.placed_at, row.restriction_id])
  return { restrictions: rows.map(renderRestriction), next }
}
