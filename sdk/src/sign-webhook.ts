/**
 * Signs a body as the service signs its deliveries (Standard Webhooks), to test a receiver or to forward events to it.
 */
import { decodeSecret } from './webhook-secret.ts'

/** The headers of a signed delivery, in lower case. */
export interface WebhookHeaders {
  readonly 'webhook-id': string
  /** Seconds since 1970, by the wall clock. */
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/**
 * The headers that sign a body with the secret (`whsec_…`), as a delivery of the service.
 *
 * ```ts
 * const body = JSON.stringify(event)
 * await fetch(receiver, { method: 'POST', body, headers: { ...(await signWebhook(event.id, body, secret)) } })
 * ```
 */
export async function signWebhook(
  id: string,
  body: string,
  secret: string,
  now: Date = new Date(),
): Promise<WebhookHeaders> {
  const hash = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', decodeSecret(secret), hash, false, ['sign'])
  const timestamp = Math.floor(now.getTime() / 1_000).toString()
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  }
}
