/** list-loads: loads with their progress, the newest first. */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { cursorOf } from '../paging/cursor.ts'
import { time, uuid } from '../paging/cursor-fields.ts'
import { pageOfRows, readPlace } from '../paging/page.ts'
import { findLoads } from '../store/load-list.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-loads', [time, uuid])

export const listLoads: Handler<'list-loads'> = async (request, { tx }) => {
  const after = readPlace(places, request)
  if (after instanceof Rejected) return after
  const { kind, state, source, size = limits.pageSizeDefault } = request
  const found = await findLoads(tx, { kind, state, source }, after, size + 1)
  const { rows, next } = pageOfRows(found, size, places, (row) => [row.started_at, row.load_id])
  return {
    loads: rows.map((row) => ({
      loadId: row.load_id,
      kind: row.kind,
      source: row.source,
      state: row.state,
      startedBy: row.client_id,
      startedOn: row.started_at,
      endedOn: row.ended_at,
      received: Number(row.received),
      accepted: Number(row.accepted),
      duplicates: Number(row.duplicates),
      conflicts: Number(row.conflicts),
      rejected: Number(row.rejected),
      lookedAtBy: row.looked_by,
      lookedAtOn: row.looked_at,
    })),
    next,
  }
}
