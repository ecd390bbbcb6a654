/** resend-events: queues events of the log for a webhook again, by ids or by a range of time. */
import { limits, type Rejection, type Request, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { webhookNotFound } from '../events/webhooks/render-webhook.ts'
import { parseUuid } from '../ids.ts'
import { readTimeRange } from '../paging/time-range.ts'
import { writeAudit } from '../store/audit.ts'
import { everyEvent } from '../store/event-log.ts'
import {
  countWaitingDeliveries,
  filterOf,
  lockWebhookRow,
  queueResends,
  type Webhook,
} from '../store/webhooks.ts'
import type { Handler } from './context.ts'

export const resendEvents: Handler<'resend-events'> = async (request, context) => {
  const { tx } = context
  const webhook = await lockWebhookRow(tx, request.webhookId)
  if (webhook === undefined) return webhookNotFound()
  const range = readTimeRange(request)
  const rejections = [
    ...checkWhich(request),
    ...(range instanceof Rejected ? range.rejections : []),
    ...checkWebhook(webhook),
    ...checkAccount(request, webhook),
  ]
  if (rejections.length > 0 || range instanceof Rejected) return new Rejected(rejections)
  const { eventIds, from, to, accountNumber } = request
  const filter = eventIds === undefined ? filterOf(webhook) : everyEvent
  const queued = await queueResends(tx, webhook, {
    eventIds,
    ...range,
    filter: accountNumber === undefined ? filter : { ...filter, accountNumber },
    max: limits.webhookResendEventsMax,
  })
  if (queued === undefined) {
    const reason = `More than ${limits.webhookResendEventsMax} events are in this range; choose a shorter one.`
    return new Rejected([reject('ERR.1015', 'from', reason)])
  }
  if (eventIds !== undefined && queued < new Set(eventIds).size) {
    return new Rejected([reject('ERR.1015', 'eventIds', 'Not all of these events are in the log.')])
  }
  if ((await countWaitingDeliveries(tx, webhook.webhook_id)) > limits.webhookWaitingMax) {
    const reason = `More than ${limits.webhookWaitingMax} deliveries of the webhook would wait; send the events again when fewer wait.`
    return new Rejected([reject('ERR.1015', 'webhookId', reason)])
  }
  writeAudit(context, {
    action: 'resend-events',
    target: webhook.webhook_id,
    changes: { eventIds, from, to, accountNumber, queued },
  })
  return { queued }
}

function checkWhich({ eventIds, from }: Request<'resend-events'>): Rejection[] {
  const found: Rejection[] = []
  for (const [at, id] of (eventIds ?? []).entries()) {
    if (parseUuid(id) === undefined)
      found.push(reject('ERR.1016', `eventIds[${at}]`, 'Event id must be a UUID.'))
  }
  if (eventIds === undefined && from === undefined) {
    found.push(reject('ERR.1000', 'eventIds', 'Name events, or a range of time by from.'))
  }
  return found
}

function checkWebhook(webhook: Webhook): Rejection[] {
  return webhook.disabled_at === null
    ? []
    : [reject('ERR.1015', 'webhookId', 'The webhook is disabled; enable it first.')]
}

/** A range selects among the events that match the filter of the webhook; ids select any events. */
function checkAccount(
  { eventIds, accountNumber }: Request<'resend-events'>,
  { account_number: only }: Webhook,
): Rejection[] {
  return eventIds !== undefined || accountNumber === undefined || only === null || only === accountNumber
    ? []
    : [reject('ERR.1015', 'accountNumber', `The webhook receives only events of the account ${only}.`)]
}
