/** list-events: a page of the firm's events after a cursor, in the order of the log. */
import { limits } from '@clearing/protocol'
import { type Handler, Rejected } from '../context.ts'
import { renderEvent } from '../events/cloud-event.ts'
import { renderCursor } from '../events/cursor.ts'
import { cursorInFuture, cursorTooOld, readWanted } from '../events/read-filter.ts'
import { readLogPage } from '../store/event-log.ts'

export const listEvents: Handler<'list-events'> = async (request, context) => {
  const { tx, firm, parts } = context
  const wanted = await readWanted(request, context)
  if ('rejections' in wanted) return new Rejected(wanted.rejections)
  const size = request.size ?? limits.eventPageSizeDefault
  const page = await readLogPage(tx.rows.bind(tx), firm.firmId, wanted.after, wanted.filter, size)
  if (page === 'too-old') return new Rejected([cursorTooOld])
  if (page === 'future') return new Rejected([cursorInFuture])
  return {
    events: page.events.map((event) => renderEvent(event, parts.identity.issuer)),
    nextCursor: renderCursor(page.end),
    more: page.more,
  }
}
