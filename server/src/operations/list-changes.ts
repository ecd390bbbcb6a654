/** list-changes: changes that wait for a second person or were decided, the newest first. */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { renderChange } from '../changes/render-change.ts'
import { readFirmFilter } from '../identity/firm-request.ts'
import { parseUuid } from '../ids.ts'
import { cursorOf } from '../paging/cursor.ts'
import { time, uuid } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { findChanges } from '../store/changes.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-changes', [time, uuid])

export const listChanges: Handler<'list-changes'> = async (request, { tx }) => {
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const firmId = readFirmFilter(request.firmId)
  if (firmId instanceof Rejected) return firmId
  const { state, accountNumber, requestedBy, size = limits.pageSizeDefault } = request
  const changeId = request.changeId === undefined ? undefined : parseUuid(request.changeId)
  if (request.changeId !== undefined && changeId === undefined) return { changes: [], next: '' }
  const filter = { state, firmId, accountNumber, requestedBy, changeId }
  const found = await findChanges(tx, filter, after, size + 1)
  const { rows, next } = pageOfRows(found, size, places, (row) => [row.requested_at, row.change_id])
  return { changes: rows.map(renderChange), next }
}
