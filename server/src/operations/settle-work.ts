/** settle-work: retries or gives up failed jobs and deliveries, and removes examined breaks from the inbox. */
import { limits, type Rejection, reject } from '@clearing/protocol'
import { forEachItem } from '../changes/each-item.ts'
import { writeAudit } from '../store/audit.ts'
import { resolveBreaks } from '../store/books/breaks.ts'
import { keepSettled } from '../store/books/held-not-entitled.ts'
import { everyEvent } from '../store/event-log.ts'
import { lockWebhookRow, queueResends, readDelivered } from '../store/webhooks.ts'
import { giveUpJob, retryJob, settleItem } from '../store/work.ts'
import type { WorkRow } from '../store/work-list.ts'
import type { Context, Handler } from './context.ts'

/**
 * Breaks that no later line has to resolve: suspended, not entitled, traded after the end of the security, paid by
 * the feed and by an announced action, if both payments are due, or not reversed in a closed account.
 */
const endsWithALook: ReadonlySet<string> = new Set([
  ...['Suspended', 'NotEntitled', 'TradedAfterEnd'],
  ...['ActionPaidTwice', 'NotReversed'],
])

export const settleWork: Handler<'settle-work'> = async (
  { workIds, settlement = 'Again', reason },
  context,
) => {
  const { tx, now, caller } = context
  const again = settlement === 'Again'
  const settle = (item: WorkRow) => settleItem(tx, item.work_id, caller.clientId, now, reason)
  const outcome = await forEachItem(context, workIds, async (item) => {
    switch (item.queue) {
      case 'Job':
        return (await (again ? retryJob : giveUpJob)(tx, item.item_id))
          ? undefined
          : reject('ERR.2013', 'workIds', 'The job has ended, or is running.')
      case 'Webhook': {
        const why = again ? await sendAgain(item, context) : undefined
        if (why === undefined) await settle(item)
        return why
      }
      case 'Break':
        if (endsWithALook.has(item.subject)) {
          const settled = { accountNumber: item.account_number, breakId: item.item_id }
          keepSettled(tx, settled, caller.clientId, now)
          resolveBreaks(tx, [settled], now)
        }
        await settle(item)
        return undefined
      default:
        return reject(
          'ERR.1015',
          'workIds',
          `Items of the queue ${item.queue} need a decision; use decide-work.`,
        )
    }
  })
  if (outcome.taken.length > 0)
    writeAudit(context, { action: 'settle-work', changes: { workIds: outcome.taken, settlement, reason } })
  return outcome
}

/** Queues the delivery's event for its webhook again, or returns why that is impossible. */
async function sendAgain(item: WorkRow, context: Context): Promise<Rejection | undefined> {
  const { tx } = context
  const delivered = await readDelivered(tx, item.item_id)
  const webhook = delivered && (await lockWebhookRow(tx, delivered.webhook_id))
  if (delivered === undefined || webhook === undefined)
    return reject('ERR.2013', 'workIds', 'The webhook was deleted.')
  if (webhook.disabled_at !== null)
    return reject('ERR.2011', 'workIds', 'The webhook is disabled; its firm has to enable it first.')
  const eventIds = [delivered.event_id]
  const queued = await queueResends(tx, webhook, {
    eventIds,
    filter: everyEvent,
    max: limits.webhookResendEventsMax,
  })
  if (queued !== 1) return reject('ERR.2013', 'workIds', 'The event is no longer in the log.')
  writeAudit(context, {
    action: 'resend-events',
    firmId: webhook.firm_id,
    target: webhook.webhook_id,
    changes: { eventIds, queued },
  })
  return undefined
}
