/** list-loads: loads with how far each has come, the newest first. */
import { limits } from '@clearing/protocol'
import type { Handler } from '../context.ts'
import { findLoads } from '../store/load-list.ts'
import { cursorForms, cursorRefused, pageOfRows, parseCursor } from './cursor.ts'

export const listLoads: Handler<'list-loads'> = async (request, { tx }) => {
  const after = parseCursor(request.after, [cursorForms.time, cursorForms.id])
  if (after === null) return cursorRefused()
  const { kind, state, size = limits.pageSizeDefault } = request
  const found = await findLoads(tx, { kind, state }, after as [string, string] | undefined, size + 1)
  const { rows, next } = pageOfRows(found, size, (row) => [row.started_at, row.load_id])
  return {
    loads: rows.map((row) => ({
      loadId: row.load_id,
      kind: row.kind,
      state: row.state,
      startedBy: row.client_id,
      startedOn: row.started_at,
      endedOn: row.ended_at,
      received: Number(row.received),
      accepted: Number(row.accepted),
      duplicates: Number(row.duplicates),
      rejected: Number(row.rejected),
    })),
    next,
  }
}
