/**
 * The queue of webhook deliveries. One process at a time works on a webhook, under a lease. Deliveries are created from
 * the log after the webhook's position. Of an account's waiting deliveries only the first is due, which preserves the
 * order of the account.
 */
import { json, statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { currentLine } from './event-lines.ts'
import {
  type EventRow,
  type LoggedEvent,
  type LogPosition,
  movesAndLine,
  positionValues,
  readLogPage,
  readLowWatermark,
  toEvent,
} from './event-log.ts'
import { hasIdOf, isAfterPosition, logOrder, rowIdsOf } from './event-rows.ts'
import { ofNoMovingFirm } from './moved-firms.ts'
import { filterOf, type Webhook } from './webhooks.ts'

const queueLimits = {
  /** For this long after its last step no other sender works on a webhook. It must be longer than a step. */
  leaseMs: 20_000,
  /**
   * The limit of waiting deliveries of one webhook. Further events stay in the log, where they cost nothing.
   */
  waitingMax: 10_000,
  /**
   * The limit of waiting deliveries of accounts without a failed attempt. The others wait for days, and must not hold
   * back the events of accounts that the receiver takes.
   */
  untriedMax: 1_000,
  /** The number of events read from the log at once. */
  takenMax: 500,
  /** The number of deliveries returned at once. */
  dueMax: 200,
} as const

/** The order makes PostgreSQL look for the next event in the index. With `exists`, it may read the whole log. */
const claim = statement<{ webhook_id: string; firm_id: string }>(
  'claim-webhooks',
  `update clearing.webhook set sender = $1, sender_until = clock_timestamp() + $2::int * interval '1 ms'
   where webhook_id in (
     select webhook_id from clearing.firm
     cross join lateral (
       select count(*) as count from clearing.webhook as other
       where other.firm_id = firm.firm_id and other.sender = $1 and other.sender_until >= clock_timestamp()
     ) as held
     cross join lateral (
       select webhook_id from clearing.webhook as hook
       where hook.firm_id = firm.firm_id and hook.disabled_at is null
         and (sender_until is null or sender_until < clock_timestamp())
         and (sender is not null or due_at <= clock_timestamp() or not held_back and (
           select true from clearing.logged_event as event
           where event.firm_id = hook.firm_id and ${isAfterPosition('hook.transaction_id', 'hook.position')}
             and event.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
           order by ${logOrder} limit 1))
       order by random() limit greatest($4 - held.count, 0) for no key update of hook skip locked
     ) as free
     where firm.disabled_at is null
       and firm.firm_id in (select firm_id from clearing.webhook where disabled_at is null)
       and not exists (select from clearing.moving_firm as move where move.firm_id = firm.firm_id)
     order by held.count, random() limit $3)
   returning webhook_id, firm_id`,
)

/**
 * How many webhooks a sender claims at once, in all and of one firm; the webhooks that it works on already count for
 * the firm.
 */
export interface Room {
  readonly webhooks: number
  readonly ofFirm: number
}

/**
 * Claims webhooks that have work and no sender, and those whose sender's lease has expired, because the
 * progress of that sender is unknown. Firms with the fewest webhooks in work come first, and the webhooks of a firm
 * come in any order: one that always has work does not displace others.
 */
export function claimWebhooks(tx: Tx, sender: string, { webhooks, ofFirm }: Room) {
  return tx.rows(claim, [sender, queueLimits.leaseMs, webhooks, ofFirm])
}

interface Held extends Webhook {
  readonly transaction: string
  readonly position: bigint
  readonly waiting: bigint
  readonly untried: bigint
  readonly hasMoved: boolean
  readonly line: number
}

/** Counts rows of waiting deliveries: all, and those of accounts without a failed attempt. */
function countWaiting(rows: string): string {
  return `select count(*) as waiting, count(*) filter (where not tried) as untried
   from (select bool_or(attempt_count > 0) over (partition by account_number) as tried from ${rows}) as each_row`
}

const holdWebhook = statement<Held>(
  'hold-webhook',
  `with counted as (
     ${countWaiting("clearing.webhook_delivery where webhook_id = $1 and status = 'Waiting'")}
   )
   update clearing.webhook set sender_until = clock_timestamp() + $3::int * interval '1 ms' from counted
   where webhook_id = $1 and sender = $2 and disabled_at is null
   returning webhook_id, firm_id, url, description, types, entity_number, rep_code, account_number, disabled_at, disabled_reason,
     created_at, updated_at, transaction_id::text as transaction, position, counted.waiting, counted.untried,
     exists (select from clearing.event_log_before as log where log.firm_id = webhook.firm_id) as "hasMoved",
     ${currentLine} as line`,
)
const insertDeliveries = statement(
  'insert-webhook-deliveries',
  `insert into clearing.webhook_delivery
     (delivery_id, webhook_id, firm_id, kind, event_id, event_type, account_number, transaction_id, position, status, next_attempt_at)
   select gen_random_uuid(), $1, $2, 'Event', event_id, type, account_number, transaction_id, position, 'Waiting', clock_timestamp()
   from clearing.logged_event as event where row_id = any ($4::uuid[]) and event_id = any ($3::uuid[])`,
)
const movePosition = statement(
  'move-webhook-place',
  'update clearing.webhook set transaction_id = $2::xid8, position = $3 where webhook_id = $1',
)

export interface Due extends Omit<EventRow, 'firm_id' | 'type'> {
  readonly delivery_id: string
  readonly attempt_count: number
  readonly event_type: string
}

interface WithoutEvent extends Pick<Due, 'delivery_id'> {
  readonly sequence: null
}

/**
 * All waiting deliveries of each account whose first delivery is due, also of events that are no longer stored. All
 * rows are compared with one instant. With a clock that advances between rows, the last delivery of an account could be
 * due before its first.
 */
const selectDue = statement<Due | WithoutEvent>(
  'select-due-deliveries',
  `with first as (
     select distinct on (account_number) account_number, next_attempt_at from clearing.webhook_delivery
     where webhook_id = $1 and status = 'Waiting' order by account_number, transaction_id, position
   )
   select delivery_id, attempt_count, delivery.event_id, event_type, event.at, delivery.account_number, event.sequence,
     event.entity_number, event.rep_code, event.trace_id, event.content, event.transaction_id::text as transaction, event.position,
     ${movesAndLine}
   from clearing.webhook_delivery as delivery join first using (account_number)
     left join clearing.logged_event as event on ${hasIdOf('delivery.event_id')}
   where delivery.webhook_id = $1 and delivery.status = 'Waiting' and first.next_attempt_at <= statement_timestamp()
   order by delivery.transaction_id, delivery.position, delivery.created_at limit $2`,
)

const endWithoutEvent = statement(
  'end-deliveries-without-event',
  `update clearing.webhook_delivery set status = 'Failed', next_attempt_at = null, ended_at = clock_timestamp()
   where delivery_id = any ($1::uuid[])`,
)

export interface Step {
  readonly webhook: Webhook
  readonly due: readonly Due[]
  /** The log has more events for this webhook. */
  readonly more: boolean
}

/**
 * Reads new events from the log and returns due deliveries; those of events that are no longer stored fail. Undefined
 * if the lease was lost, or the webhook is disabled.
 */
export async function stepWebhook(tx: Tx, webhookId: string, sender: string): Promise<Step | undefined> {
  const held = await tx.row(holdWebhook, [webhookId, sender, queueLimits.leaseMs])
  if (held === undefined) return undefined
  const { waitingMax, untriedMax } = queueLimits
  const room = Math.min(waitingMax - Number(held.waiting), untriedMax - Number(held.untried))
  let more = false
  if (room > 0) {
    const rows = tx.rows.bind(tx)
    const from: LogPosition = {
      transaction: BigInt(held.transaction),
      position: held.position,
      line: held.line,
    }
    const size = Math.min(room, queueLimits.takenMax)
    const page = await readLogPage(rows, held.firm_id, from, filterOf(held), { size })
    // A webhook that was disabled for longer than events are stored continues with new events. One of a firm that has
    // moved may be at an event that still waits for an open transaction: it stays there.
    const stays = page === 'future' && held.hasMoved
    const end = stays ? from : typeof page === 'string' ? (await readLowWatermark(rows)).end : page.end
    if (typeof page !== 'string') {
      more = page.more
      const ids = page.events.map(({ eventId }) => eventId)
      if (ids.length > 0) tx.later(insertDeliveries, [webhookId, held.firm_id, ids, rowIdsOf(ids)])
    }
    tx.later(movePosition, [webhookId, ...positionValues(end)])
  }
  const found = await tx.rows(selectDue, [webhookId, queueLimits.dueMax])
  const lost = found.filter(({ sequence }) => sequence === null)
  if (lost.length > 0) tx.later(endWithoutEvent, [lost.map(({ delivery_id }) => delivery_id)])
  return { webhook: held, due: found.filter((one): one is Due => one.sequence !== null), more }
}

export function eventOf(due: Due, firmId: string): LoggedEvent {
  return toEvent({ ...due, firm_id: firmId, type: due.event_type })
}

const keepAttempts = statement(
  'keep-delivery-attempts',
  `update clearing.webhook_delivery as delivery set
     attempts = attempts || given.attempt, attempt_count = attempt_count + 1, status = given.status,
     next_attempt_at = case when given.status = 'Waiting' then clock_timestamp() + delay_ms * interval '1 ms' end,
     ended_at = case when given.status = 'Waiting' then null else clock_timestamp() end
   from unnest($1::uuid[], $2::jsonb[], $3::text[], $4::float8[]) as given (delivery_id, attempt, status, delay_ms)
   where delivery.delivery_id = given.delivery_id and delivery.status = 'Waiting'`,
)

/** The result of an attempt. A waiting delivery is tried again after `delayMs`. */
export interface KeptAttempt {
  readonly deliveryId: string
  readonly attempt: Readonly<Record<string, unknown>>
  readonly status: 'Waiting' | 'Delivered' | 'Failed'
  readonly delayMs: number
}

/** Each attempt belongs to a different delivery. */
export function writeAttempts(tx: Tx, kept: readonly KeptAttempt[]): void {
  tx.later(keepAttempts, [
    kept.map(({ deliveryId }) => deliveryId),
    kept.map(({ attempt }) => json([attempt])),
    kept.map(({ status }) => status),
    kept.map(({ delayMs }) => delayMs),
  ])
}

const disable = statement(
  'disable-webhook',
  `update clearing.webhook set disabled_at = $2, disabled_reason = $3, updated_at = $2
   where webhook_id = $1 and disabled_at is null`,
)
export function disableWebhook(tx: Tx, webhookId: string, at: Date, reason: string): Promise<number> {
  return tx.run(disable, [webhookId, at, reason])
}

const release = statement(
  'release-webhook',
  `with waiting as (
     select account_number, transaction_id, position, next_attempt_at, attempt_count from clearing.webhook_delivery
     where webhook_id = $1 and status = 'Waiting'
   ), first as (
     select distinct on (account_number) next_attempt_at from waiting order by account_number, transaction_id, position
   )
   update clearing.webhook set sender = null, sender_until = null, due_at = (select min(next_attempt_at) from first),
     held_back = (select counted.waiting >= $3::int or untried >= $4::int from (${countWaiting('waiting')}) as counted)
   where webhook_id = $1 and sender = $2`,
)

const lockToRelease = statement(
  'lock-webhook-to-release',
  'select from clearing.webhook where webhook_id = $1 for no key update',
)

/**
 * Returns the webhook with its next due time. A separate statement locks it first: a statement that waited for the lock
 * would not see deliveries that the previous holder added, and these would not be sent.
 */
export function releaseWebhook(tx: Tx, webhookId: string, sender: string): void {
  tx.later(lockToRelease, [webhookId])
  tx.later(release, [webhookId, sender, queueLimits.waitingMax, queueLimits.untriedMax])
}

const insertTest = statement(
  'insert-test-delivery',
  `insert into clearing.webhook_delivery
     (delivery_id, webhook_id, firm_id, kind, event_id, event_type, account_number, transaction_id, position, status,
      attempt_count, attempts, ended_at)
   select gen_random_uuid(), webhook_id, firm_id, 'Test', $2, 'webhook.test', '', '0', 0, $3, 1, $4::jsonb, clock_timestamp()
   from clearing.webhook where webhook_id = $1`,
)
export function writeTestDelivery(
  tx: Tx,
  webhookId: string,
  eventId: string,
  attempt: Readonly<Record<string, unknown>>,
  status: 'Delivered' | 'Failed',
): void {
  tx.later(insertTest, [webhookId, eventId, status, json([attempt])])
}

const removeEnded = statement(
  'remove-ended-deliveries',
  `delete from clearing.webhook_delivery where delivery_id in (
     select delivery_id from clearing.webhook_delivery where ended_at < clock_timestamp() - $1::int * interval '1 day'
       and ${ofNoMovingFirm} limit $2)`,
)
/** Removes at most `size` deliveries that ended a number of days ago, and returns how many it removed. */
export function removeEndedDeliveries(tx: Tx, keptDays: number, size: number): Promise<number> {
  return tx.run(removeEnded, [keptDays, size])
}
