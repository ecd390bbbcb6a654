/** Notifications of the staff. */
import type { CodeOf } from '@clearing/protocol'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { newId } from '../ids.ts'
import { clearingFirmId } from './firms.ts'

export interface Notification {
  readonly notification_id: string
  readonly kind: CodeOf<'notificationKind'>
  readonly account_number: string
  readonly target: string
  readonly detail: string
  readonly caused_by: string
  readonly notified_at: string
  readonly read_at: string | null
}

export interface NewNotification {
  /** No notification is written for a recipient outside the staff, or for the person who acted. */
  readonly recipient: string
  readonly kind: CodeOf<'notificationKind'>
  readonly accountNumber: string
  readonly target: string
  readonly detail: string
  readonly causedBy: string
  readonly at: Date
  readonly traceId: string
}

const insertNotification = statement(
  'insert-notification',
  `with written as (
     insert into clearing.notification (notification_id, recipient, kind, account_number, target, detail, caused_by, notified_at)
     select $1, email, $3, $4, $5, $6, $7, $8 from clearing.staff
     where email = lower($2) and disabled_at is null and email <> lower($7)
     returning notification_id, recipient, kind, account_number, target, caused_by, notified_at
   ), announced as (
     insert into clearing.event_row (event_id, firm_id, sequence, type, at, trace_id, content)
     select gen_random_uuid(), $9, 0, 'staff.notified', notified_at, $10, jsonb_build_object('notificationId', notification_id,
       'recipient', recipient, 'kind', kind, 'accountNumber', account_number, 'target', target, 'causedBy', caused_by)
     from written
   )
   select pg_notify('clearing_event', '') from written`,
)
const unreadMax = 1_000
const countUnread = statement<{ count: number }>(
  'count-unread-notifications',
  `select count(*)::int as count from (
     select from clearing.notification where recipient = lower($1) and read_at is null limit ${unreadMax}
   ) as unread`,
)
const selectNotifications = statement<Notification>(
  'select-notifications',
  `select notification_id, kind, account_number, target, detail, caused_by, notified_at, read_at from clearing.notification
   where recipient = lower($1) and ($2::timestamptz is null or (notified_at, notification_id) < ($2, $3::uuid))
   order by notified_at desc, notification_id desc limit $4`,
)
const markRead = statement(
  'mark-notifications-read',
  `update clearing.notification set read_at = $3
   where recipient = lower($1) and read_at is null and ($2::text[] is null or notification_id::text = any ($2))`,
)

/**
 * After the commit, open pages of the console reload. The clearing firm's webhooks and streams get an event without the
 * text of the notification, which may name a customer.
 */
export function writeNotification(tx: Tx, given: NewNotification): void {
  const { recipient, kind, accountNumber, target, detail, causedBy, at, traceId } = given
  const row = [newId(at), recipient, kind, accountNumber, target, detail, causedBy, at]
  tx.later(insertNotification, [...row, clearingFirmId, traceId])
}

export async function countUnreadNotifications(tx: Tx, recipient: string): Promise<number> {
  return (await tx.row(countUnread, [recipient]))?.count ?? 0
}

/** Notifications after a position, the newest first. */
export function findNotifications(
  tx: Tx,
  recipient: string,
  after: readonly [at: string, id: string] | undefined,
  most: number,
): Promise<Notification[]> {
  return tx.rows(selectNotifications, [recipient, after?.[0] ?? null, after?.[1] ?? null, most])
}

/** Marks all notifications when no ids are given. */
export async function markNotificationsRead(
  tx: Tx,
  recipient: string,
  ids: readonly string[] | undefined,
  at: Date,
): Promise<number> {
  return tx.run(markRead, [recipient, ids ?? null, at])
}
