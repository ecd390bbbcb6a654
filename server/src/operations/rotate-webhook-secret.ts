/** rotate-webhook-secret: adds a new signing secret. Earlier ones also sign for a while. */
import { limits } from '@clearing/protocol'
import { renderWebhook, webhookNotFound } from '../events/webhooks/render-webhook.ts'
import { newWebhookSecret } from '../events/webhooks/sign.ts'
import { newId } from '../ids.ts'
import { writeAudit } from '../store/audit.ts'
import {
  dropSecrets,
  endSecrets,
  insertWebhookSecret,
  lockWebhookRow,
  readSecrets,
} from '../store/webhooks.ts'
import type { Handler } from './context.ts'

const hourMs = 60 * 60 * 1_000
const overlapHoursDefault = 24

export const rotateWebhookSecret: Handler<'rotate-webhook-secret'> = async (request, context) => {
  const { tx, firm, keys, now, parts } = context
  const webhook = await lockWebhookRow(tx, request.webhookId)
  if (webhook === undefined) return webhookNotFound()
  const { webhook_id: webhookId } = webhook
  const { overlapHours = overlapHoursDefault } = request
  // The wall clock, because receivers verify by it.
  const wall = parts.identity.now()
  const secret = newWebhookSecret()
  endSecrets(tx, webhookId, new Date(wall.getTime() + overlapHours * hourMs))
  insertWebhookSecret(
    tx,
    { secretId: newId(now), webhookId, firmId: firm.firmId, text: secret, at: wall },
    keys,
  )
  dropSecrets(tx, webhookId, wall, limits.webhookSecretsMax)
  writeAudit(context, { action: 'rotate-webhook-secret', target: webhookId, changes: { overlapHours } })
  return { ...renderWebhook(webhook, await readSecrets(tx, webhookId, wall)), secret }
}
