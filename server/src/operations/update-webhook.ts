/**
 * update-webhook: changes the address and the events of a webhook, stops it, or resumes it from the position
 * where it stopped.
 */
import { type Rejection, type Request, reject } from '@clearing/protocol'
import { Answered, Rejected } from '../answers.ts'
import { readWanted } from '../events/read-filter.ts'
import { checkReceiver } from '../events/webhooks/check-receiver.ts'
import { noteOfFilter } from '../events/webhooks/note-of-filter.ts'
import { renderWebhook, webhookNotFound } from '../events/webhooks/render-webhook.ts'
import { writeAudit } from '../store/audit.ts'
import {
  changeWebhook,
  disabledByFirm,
  filterOf,
  lockWebhookRow,
  readSecrets,
  wakeSenders,
} from '../store/webhooks.ts'
import type { Handler } from './context.ts'

export const updateWebhook: Handler<'update-webhook'> = async (request, context) => {
  const { tx, now, parts } = context
  const refused = request.url === undefined ? [] : await checkReceiver(request.url, parts.webhooks.policy)
  const wanted = await readWanted(request, context)
  const removed = new Set<string>(request.removeFilters ?? [])
  const rejections = [
    ...refused,
    ...('rejections' in wanted ? wanted.rejections : []),
    ...findRemovedAndGiven(removed, request),
  ]
  const webhook = await lockWebhookRow(tx, request.webhookId)
  if (webhook === undefined) return webhookNotFound()
  if ('rejections' in wanted || rejections.length > 0) return new Rejected(rejections)
  const before = filterOf(webhook)
  const { filter } = wanted
  const disabled = request.disabled ?? webhook.disabled_at !== null
  const changed = await changeWebhook(tx, webhook.webhook_id, {
    url: request.url ?? webhook.url,
    description: request.description ?? webhook.description,
    filter: {
      types: request.types === undefined ? before.types : filter.types,
      entityNumber: removed.has('entityNumber') ? undefined : (filter.entityNumber ?? before.entityNumber),
      repCode: removed.has('repCode') ? undefined : (filter.repCode ?? before.repCode),
      accountNumber: removed.has('accountNumber')
        ? undefined
        : (filter.accountNumber ?? before.accountNumber),
    },
    disabledReason: disabled ? (webhook.disabled_reason ?? disabledByFirm) : null,
    by: context.caller.clientId,
    at: now,
  })
  wakeSenders(tx)
  writeAudit(context, {
    action: 'update-webhook',
    target: webhook.webhook_id,
    changes: { url: changed.url, ...filterOf(changed), disabled },
  })
  const data = renderWebhook(changed, await readSecrets(tx, webhook.webhook_id, parts.identity.now()))
  const message = await noteOfFilter(filterOf(changed), context)
  return message === undefined ? data : new Answered(data, { message })
}

function findRemovedAndGiven(removed: ReadonlySet<string>, request: Request<'update-webhook'>): Rejection[] {
  return (['entityNumber', 'repCode', 'accountNumber'] as const)
    .filter((name) => removed.has(name) && request[name] !== undefined)
    .map((name) => reject('ERR.1015', name, 'The filter is given and removed in one request.'))
}
