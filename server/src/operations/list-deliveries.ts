/**
 * list-deliveries: deliveries to one webhook of the firm, or to all, with the receiver's responses, the latest first.
 */
import { limits, type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { renderDelivery, webhookNotFound } from '../events/webhooks/render-webhook.ts'
import { parseUuid } from '../ids.ts'
import { cursorOf, spaced } from '../paging/cursor.ts'
import { time, uuid } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { findDeliveries, readWebhook } from '../store/webhooks.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-deliveries', [time, uuid], spaced)

export const listDeliveries: Handler<'list-deliveries'> = async (request, { tx, firm }) => {
  const webhook = request.webhookId ? await readWebhook(tx, request.webhookId) : undefined
  if (request.webhookId && webhook === undefined) return webhookNotFound()
  const { status, deliveryId, eventId, accountNumber, size = limits.pageSizeDefault } = request
  const before = readPosition(places, request)
  const rejections = [
    ...(before instanceof Rejected ? before.rejections : []),
    ...checkId('eventId', 'Event id', eventId),
    ...checkId('deliveryId', 'Delivery id', deliveryId),
  ]
  if (rejections.length > 0 || before instanceof Rejected) return new Rejected(rejections)
  const query = { webhookId: webhook?.webhook_id, deliveryId, status, eventId, accountNumber, before, size }
  const found = await findDeliveries(tx, firm.firmId, query)
  const { rows, next } = pageOfRows(found, size, places, (row) => [row.created_at, row.delivery_id])
  return { deliveries: rows.map(renderDelivery), next, nextCursor: next || null }
}

function checkId(field: string, name: string, id: string | undefined): Rejection[] {
  return id === undefined || parseUuid(id) !== undefined
    ? []
    : [reject('ERR.1016', field, `${name} must be a UUID.`)]
}
