/** create-webhook: subscribes an address to the firm's events and returns the secret that signs them. */
import { limits, reject } from '@clearing/protocol'
import { Answered, Rejected } from '../answers.ts'
import { cursorInFuture, cursorLost, cursorTooOld, readWanted } from '../events/read-filter.ts'
import { checkReceiver } from '../events/webhooks/check-receiver.ts'
import { noteOfFilter } from '../events/webhooks/note-of-filter.ts'
import { renderWebhook } from '../events/webhooks/render-webhook.ts'
import { newWebhookSecret } from '../events/webhooks/sign.ts'
import { newId } from '../ids.ts'
import { writeAudit } from '../store/audit.ts'
import { readLogPage, readLowWatermark } from '../store/event-log.ts'
import {
  holdNewWebhooks,
  insertWebhook,
  insertWebhookSecret,
  readSecrets,
  readWebhook,
  readWebhooks,
  wakeSenders,
} from '../store/webhooks.ts'
import type { Handler } from './context.ts'

export const createWebhook: Handler<'create-webhook'> = async (request, context) => {
  const { tx, firm, keys, now, parts } = context
  const refused = await checkReceiver(request.url, parts.webhooks.policy)
  const wanted = await readWanted(request, context)
  if ('rejections' in wanted) return new Rejected([...refused, ...wanted.rejections])
  if (refused.length > 0) return new Rejected(refused)
  const rows = tx.rows.bind(tx)
  const { after, filter } = wanted
  const page = after && (await readLogPage(rows, firm.firmId, after, filter, { size: 1 }))
  if (page === 'future' && !wanted.isMoved) return new Rejected([cursorInFuture])
  if (page === 'too-old') return new Rejected([cursorTooOld])
  if (after && page === 'lost') return new Rejected([await cursorLost(rows, after, firm.moves)])
  holdNewWebhooks(tx, firm.firmId)
  if ((await readWebhooks(tx)).length >= limits.webhooksPerFirmMax) {
    const reason = `The firm has ${limits.webhooksPerFirmMax} webhooks, which is the limit.`
    return new Rejected([reject('ERR.1015', '', reason)])
  }
  const webhookId = newId(now)
  const { url, description = '' } = request
  const place = after ?? (await readLowWatermark(rows)).end
  const by = context.caller.clientId
  insertWebhook(tx, { webhookId, firmId: firm.firmId, url, description, filter, place, by, at: now })
  const secret = newWebhookSecret()
  // The wall clock, because a rotation and the receivers use it.
  const issuedAt = parts.identity.now()
  const issued = { secretId: newId(now), webhookId, firmId: firm.firmId, text: secret, at: issuedAt }
  insertWebhookSecret(tx, issued, keys)
  wakeSenders(tx)
  writeAudit(context, { action: 'create-webhook', target: webhookId, changes: { url, ...filter } })
  const [webhook, secrets, message] = await Promise.all([
    readWebhook(tx, webhookId),
    readSecrets(tx, webhookId, issuedAt),
    noteOfFilter(filter, context),
  ])
  if (webhook === undefined) throw new Error(`webhook ${webhookId} was inserted but not found`)
  const data = { ...renderWebhook(webhook, secrets), secret }
  return message === undefined ? data : new Answered(data, { message })
}
