/**
 * Signs deliveries by the Standard Webhooks specification: HMAC-SHA256 over `id.timestamp.body`, one signature for each
 * live secret. The code uses node:crypto directly; the tests verify it with the library of the specification.
 */
import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
const secretBytes = 32

/** 256 random bits in the form that the libraries of receivers accept. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64')
}

export interface SignedHeaders {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/** The headers of a delivery sent at a moment of the wall clock. */
export function signDelivery(id: string, at: Date, body: string, secrets: readonly string[]): SignedHeaders {
  const timestamp = Math.floor(at.getTime() / 1_000).toString()
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
