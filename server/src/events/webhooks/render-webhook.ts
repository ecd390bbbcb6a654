/** Renders webhooks and their deliveries for their firm. */
import type { Data } from '@clearing/protocol'
import { reject } from '@clearing/protocol'
import { Rejected } from '../../answers.ts'
import type { DeliveryRow, Webhook, WebhookSecret } from '../../store/webhooks.ts'

export function renderWebhook(webhook: Webhook, secrets: readonly WebhookSecret[]): Data<'update-webhook'> {
  return {
    webhookId: webhook.webhook_id,
    url: webhook.url,
    description: webhook.description,
    types: [...webhook.types],
    entityNumber: webhook.entity_number,
    repCode: webhook.rep_code,
    accountNumber: webhook.account_number,
    disabled: webhook.disabled_at !== null,
    disabledReason: webhook.disabled_reason,
    createdOn: webhook.created_at,
    lastUpdated: webhook.updated_at,
    addressSetBy: webhook.address_set_by,
    secrets: secrets
      .filter(({ webhook_id }) => webhook_id === webhook.webhook_id)
      .map(({ secret_id, created_at, expires_at }) => ({
        secretId: secret_id,
        createdOn: created_at,
        expiresOn: expires_at,
      })),
  }
}

export function renderDelivery(row: DeliveryRow): Data<'list-deliveries'>['deliveries'][number] {
  return {
    deliveryId: row.delivery_id,
    webhookId: row.webhook_id,
    kind: row.kind,
    eventId: row.event_id,
    eventType: row.event_type,
    accountNumber: row.account_number,
    status: row.status,
    createdOn: row.created_at,
    nextAttemptOn: row.next_attempt_at,
    attempts: row.attempts.map(({ at, durationMs, status, answer, error }) => ({
      at,
      durationMs,
      status,
      answer,
      error,
    })),
  }
}

export function webhookNotFound(): Rejected {
  return new Rejected([reject('ERR.2013', 'webhookId', 'The firm has no webhook with this id.')])
}
