/** list-notifications: the caller's notifications, the newest first. */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { cursorOf } from '../paging/cursor.ts'
import { time, uuid } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { countUnreadNotifications, findNotifications } from '../store/notifications.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-notifications', [time, uuid])

export const listNotifications: Handler<'list-notifications'> = async (request, { tx, caller }) => {
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const size = request.size ?? limits.pageSizeDefault
  const [found, unread] = await Promise.all([
    findNotifications(tx, caller.clientId, after, size + 1),
    countUnreadNotifications(tx, caller.clientId),
  ])
  const { rows, next } = pageOfRows(found, size, places, (row) => [row.notified_at, row.notification_id])
  return {
    notifications: rows.map((row) => ({
      notificationId: row.notification_id,
      kind: row.kind,
      accountNumber: row.account_number,
      target: row.target,
      detail: row.detail,
      causedBy: row.caused_by,
      notifiedOn: row.notified_at,
      readOn: row.read_at,
    })),
    unread,
    next,
  }
}
