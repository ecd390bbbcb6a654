/** list-closes: finished closes of business days, the newest first. */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { cursorOf } from '../paging/cursor.ts'
import { day } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { findFinishedCloses } from '../store/finished-closes.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-closes', [day])

export const listCloses: Handler<'list-closes'> = async (request, { tx }) => {
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const size = request.size ?? limits.pageSizeDefault
  const found = await findFinishedCloses(tx, after?.[0], size + 1)
  const { rows, next } = pageOfRows(found, size, places, (row) => [row.close_date])
  return {
    closes: rows.map((row) => ({
      closedDate: row.close_date,
      startedOn: row.started_at,
      closedOn: row.closed_at,
      tookMs: Number(row.took_ms),
      accounts: Number(row.accounts),
      positions: Number(row.positions),
      callsIssued: Number(row.calls_issued),
      callsMet: Number(row.calls_met),
      acceptedOpen: row.accepted,
      provedOn: row.proved_at,
      opened: Number(row.opened),
      rejected: Number(row.rejected),
    })),
    next,
  }
}
