/** test-webhook: sends a test event now and returns the receiver's response. */

import { webhookNotFound } from '../events/webhooks/render-webhook.ts'
import { openSecret, readSecrets, readWebhook } from '../store/webhooks.ts'
import type { Handler } from './context.ts'

export const testWebhook: Handler<'test-webhook'> = async ({ webhookId }, context) => {
  const { tx, keys, now, traceId, parts } = context
  const webhook = await readWebhook(tx, webhookId)
  if (webhook === undefined) return webhookNotFound()
  const secrets = await readSecrets(tx, webhook.webhook_id, parts.identity.now())
  const texts = secrets.map((secret) => openSecret(secret, keys))
  return parts.webhooks.fire(webhook, texts, now, traceId)
}
