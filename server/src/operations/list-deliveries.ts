/** list-deliveries: what was sent to the firm's webhooks, or one, and what the receiver answered, the latest first. */
import { limits, type Rejection, reject } from '@clearing/protocol'
import { type Handler, Rejected } from '../context.ts'
import { renderDelivery, webhookNotFound } from '../events/webhooks/render-webhook.ts'
import { findDeliveries, readWebhook } from '../store/webhooks.ts'

export const listDeliveries: Handler<'list-deliveries'> = async (request, { tx, firm }) => {
  const webhook = request.webhookId ? await readWebhook(tx, request.webhookId) : undefined
  if (request.webhookId && webhook === undefined) return webhookNotFound()
  const { status, deliveryId, eventId, accountNumber, cursor, size = limits.pageSizeDefault } = request
  const before = cursor === undefined ? undefined : parsePage(cursor)
  const rejections = [
    ...(cursor !== undefined && before === undefined
      ? [reject('ERR.1015', 'cursor', 'This is no cursor of the log of deliveries.')]
      : []),
    ...checkId('eventId', 'Event id', eventId),
    ...checkId('deliveryId', 'Delivery id', deliveryId),
  ]
  if (rejections.length > 0) return new Rejected(rejections)
  const query = { webhookId: webhook?.webhook_id, deliveryId, status, eventId, accountNumber, before, size }
  const found = await findDeliveries(tx, firm.firmId, query)
  const deliveries = found.slice(0, size)
  const last = found.length > size ? deliveries.at(-1) : undefined
  return {
    deliveries: deliveries.map(renderDelivery),
    nextCursor: last === undefined ? null : renderPage(last.created_at, last.delivery_id),
  }
}

const checkId = (field: string, name: string, id: string | undefined): Rejection[] =>
  id === undefined || uuid.test(id) ? [] : [reject('ERR.1016', field, `${name} must be a UUID.`)]

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const pageForm = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([0-9a-f-]{36})$/

const renderPage = (createdAt: string, deliveryId: string): string =>
  Buffer.from(`${createdAt} ${deliveryId}`).toString('base64url')

const parsePage = (cursor: string) => {
  const [, createdAt = '', deliveryId = ''] =
    pageForm.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  const isPage = uuid.test(deliveryId) && !Number.isNaN(Date.parse(createdAt))
  return isPage ? { createdAt, deliveryId } : undefined
}
