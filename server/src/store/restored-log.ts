/**
 * Notifies firms that the service was restored to an earlier moment: one event for each firm, and one delivery for
 * each webhook, whatever its filter (decision 306). Both belong to the transaction that begins the line of the log.
 */
import type { EventType } from '@clearing/protocol'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { matches } from './event-log.ts'
import { ofNoMovingFirm } from './moved-firms.ts'
import { filterOf, type Webhook } from './webhooks.ts'

/** Sent to every webhook, whatever its filter. */
export const restoredType: EventType = 'log.restored'

interface Written {
  readonly event_id: string
}

/** The newest event of a row is the last of its `more`. */
const insertEvents = statement<Written>(
  'insert-log-restored-events',
  `insert into clearing.event_row (event_id, firm_id, sequence, type, at, trace_id, content)
   select gen_random_uuid(), firm.firm_id, 0, '${restoredType}', $1, $2, jsonb_build_object(
     'lastEventId', coalesce(case when last.more is null then last.event_id::text
       else overlay(last.event_id::text placing to_hex(cardinality(last.more)) from 36) end, ''),
     'lastEventAt', to_char(last.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
   from clearing.firm left join lateral (
     select event_id, more, at from clearing.event_row as stored where stored.firm_id = firm.firm_id
     order by transaction_id desc, position desc limit 1
   ) as last on true
   where firm.${ofNoMovingFirm}
   returning event_id`,
)
const selectWebhooks = statement<
  Pick<Webhook, 'webhook_id' | 'types' | 'entity_number' | 'rep_code' | 'account_number'>
>(
  'select-webhooks-to-notify',
  `select webhook_id, types, entity_number, rep_code, account_number from clearing.webhook
   where ${ofNoMovingFirm}`,
)
const insertDeliveries = statement(
  'insert-log-restored-deliveries',
  `insert into clearing.webhook_delivery
     (delivery_id, webhook_id, firm_id, kind, event_id, event_type, account_number, transaction_id, position, status, next_attempt_at)
   select gen_random_uuid(), webhook_id, firm_id, 'Event', event_id, '${restoredType}', '', event.transaction_id, event.position, 'Waiting',
     clock_timestamp()
   from clearing.webhook join clearing.event_row as event using (firm_id)
   where webhook_id = any ($1::uuid[]) and event_id = any ($2::uuid[])`,
)
/** A sender looks at the webhooks whose deliveries are due. */
const markDue = statement(
  'mark-notified-webhooks-due',
  'update clearing.webhook set due_at = least(due_at, clock_timestamp()) where webhook_id = any ($1::uuid[])',
)

const restored = { type: restoredType, accountNumber: '', entityNumber: '', repCode: '' }

/** For the role of operations, after the row of the line is written. */
export async function notifyOfRestore(tx: Tx, { at, traceId }: { at: Date; traceId: string }): Promise<void> {
  const written = await tx.rows(insertEvents, [at, traceId])
  const webhooks = await tx.rows(selectWebhooks)
  // A webhook whose filter matches gets the event from the log.
  const others = webhooks
    .filter((webhook) => !matches(filterOf(webhook), restored))
    .map(({ webhook_id }) => webhook_id)
  if (others.length === 0) return
  tx.later(insertDeliveries, [others, written.map(({ event_id }) => event_id)])
  tx.later(markDue, [others])
}
