/** list-incidents: all incidents with their reports, the newest first. */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { renderIncident } from '../events/incidents.ts'
import { cursorOf } from '../paging/cursor.ts'
import { time, uuid } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { findIncidents } from '../store/incidents.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-incidents', [time, uuid])

export const listIncidents: Handler<'list-incidents'> = async (request, { tx }) => {
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const size = request.size ?? limits.pageSizeDefault
  const found = await findIncidents(tx, after, size + 1)
  const { rows, next } = pageOfRows(found, size, places, (row) => [row.opened_at, row.incident_id])
  return { incidents: rows.map(renderIncident), next }
}
