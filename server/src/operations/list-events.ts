/** list-events: a page of the firm's events after a cursor, in the order of the log. */
import { limits, type Rejection } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { renderEvent } from '../events/cloud-event.ts'
import { renderCursor } from '../events/cursor.ts'
import { cursorInFuture, cursorLost, cursorTooOld, readWanted } from '../events/read-filter.ts'
import { answerOfAccount } from '../firm-rules/account-not-found.ts'
import { findPosition } from '../paging/page.ts'
import { type LogPosition, readLogPage } from '../store/event-log.ts'
import type { Handler } from './context.ts'

export const listEvents: Handler<'list-events'> = async (request, context) => {
  const { tx, firm, parts } = context
  const position = findPosition(request)
  if (position instanceof Rejected) return position
  const refuse = (rejections: readonly Rejection[]) =>
    new Rejected(
      rejections.map((one) => (one.field === 'cursor' && position ? { ...one, field: position.field } : one)),
    )
  const wanted = await readWanted({ ...request, cursor: position?.text }, context)
  if ('rejections' in wanted) return refuse(wanted.rejections)
  const size = request.size ?? limits.eventPageSizeDefault
  const rows = tx.rows.bind(tx)
  const page = await readLogPage(rows, firm.firmId, wanted.after, wanted.filter, { size })
  if (page === 'too-old') return refuse([cursorTooOld])
  if (page === 'lost') return refuse([await cursorLost(rows, wanted.after as LogPosition, firm.moves)])
  if (page === 'future') {
    if (!wanted.isMoved) return refuse([cursorInFuture])
    return { events: [], next: '', nextCursor: position?.text ?? '', more: false }
  }
  const end = renderCursor(page.end, firm.moves)
  const found = {
    events: page.events.map((event) => renderEvent(event, parts.identity.issuer)),
    next: page.more ? end : '',
    nextCursor: end,
    more: page.more,
  }
  return answerOfAccount(found, page.events.length === 0, request.accountNumber, context)
}
