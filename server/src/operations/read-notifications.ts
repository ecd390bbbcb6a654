/** read-notifications: marks notifications of the caller as read. */
import { writeAudit } from '../store/audit.ts'
import { countUnreadNotifications, markNotificationsRead } from '../store/notifications.ts'
import type { Handler } from './context.ts'

export const readNotifications: Handler<'read-notifications'> = async ({ notificationIds }, context) => {
  const { tx, now, caller } = context
  const ids = notificationIds?.map((id) => id.toLowerCase())
  const marked = await markNotificationsRead(tx, caller.clientId, ids, now)
  if (marked > 0) writeAudit(context, { action: 'read-notifications', changes: { marked } })
  return { unread: await countUnreadNotifications(tx, caller.clientId) }
}
