/** delete-webhook: ends a webhook and removes its secrets and its log of deliveries. */

import { webhookNotFound } from '../events/webhooks/render-webhook.ts'
import { writeAudit } from '../store/audit.ts'
import { deleteWebhookWithLog, lockWebhookRow } from '../store/webhooks.ts'
import type { Handler } from './context.ts'

export const deleteWebhook: Handler<'delete-webhook'> = async ({ webhookId }, context) => {
  const webhook = await lockWebhookRow(context.tx, webhookId)
  if (webhook === undefined) return webhookNotFound()
  deleteWebhookWithLog(context.tx, webhook.webhook_id)
  writeAudit(context, { action: 'delete-webhook', target: webhook.webhook_id, changes: { url: webhook.url } })
  return { webhookId: webhook.webhook_id }
}
