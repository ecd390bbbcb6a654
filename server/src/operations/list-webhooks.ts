/** list-webhooks: the firm's webhooks, the oldest first. */

import { renderWebhook } from '../events/webhooks/render-webhook.ts'
import { readSecrets, readWebhooks } from '../store/webhooks.ts'
import type { Handler } from './context.ts'

export const listWebhooks: Handler<'list-webhooks'> = async (_request, { tx, parts }) => {
  const [webhooks, secrets] = await Promise.all([
    readWebhooks(tx),
    readSecrets(tx, null, parts.identity.now()),
  ])
  return { webhooks: webhooks.map((webhook) => renderWebhook(webhook, secrets)) }
}
