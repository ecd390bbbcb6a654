/** list-loads: loads with their progress, the newest first. */
import { limits, type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { cursorOf } from '../paging/cursor.ts'
import { time, uuid } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { findLoads, loadKinds, loadStates } from '../store/load-list.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-loads', [time, uuid])

export const listLoads: Handler<'list-loads'> = async (request, { tx }) => {
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const { kind, state, source, size = limits.pageSizeDefault } = request
  const rejections = [...refuseOther('kind', kind, loadKinds), ...refuseOther('state', state, loadStates)]
  if (rejections.length > 0) return new Rejected(rejections)
  const found = await findLoads(tx, { kind: kind?.toLowerCase(), state, source }, after, size + 1)
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

/** A filter with a value that no row can have would show that there are no loads. */
function refuseOther(field: string, given: string | undefined, values: readonly string[]): Rejection[] {
  if (!given || values.some((value) => value.toLowerCase() === given.toLowerCase())) return []
  return [reject('ERR.1015', field, `The value must be one of: ${values.join(', ')}.`)]
}
