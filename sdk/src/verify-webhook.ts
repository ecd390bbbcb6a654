/**
 * Checks a webhook after the Standard Webhooks specification, with Web Crypto: that the service sent it, lately, and that
 * nothing was changed. Give the body as it came; a body that was parsed and written again has other bytes.
 */
import { limits } from '@clearing/protocol'
import type { CloudEvent } from './events.ts'
import { decodeBase64, decodeSecret } from './webhook-secret.ts'

/** What came is no delivery of the service: answer 400 and do nothing. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

/** A delivery as it came over HTTP. */
export interface ReceivedWebhook {
  /** The body as it came. */
  readonly body: string | Uint8Array<ArrayBuffer>
  /** The headers: a `Headers`, or what Node gives. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
}

/** How far to trust the clock. */
export interface VerifySettings {
  /** How far the time stamp may be from now; five minutes by default. */
  readonly toleranceSeconds?: number
  /** The time to compare with; the runtime's clock when absent. */
  readonly now?: Date
}

/**
 * The event of a genuine delivery; throws `WebhookRefused` for anything else. While a secret is being replaced, give both.
 *
 * ```ts
 * const event = await verifyWebhook({ body, headers: request.headers }, process.env.WEBHOOK_SECRET)
 * ```
 */
export async function verifyWebhook(
  received: ReceivedWebhook,
  secrets: string | readonly string[],
  settings: VerifySettings = {},
): Promise<CloudEvent> {
  const { toleranceSeconds = limits.webhookToleranceSeconds, now = new Date() } = settings
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(received.headers, name),
  )
  if (!id || !timestamp || !signatures) throw new WebhookRefused('A header of the signature is missing.')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookRefused('The time stamp is none.')
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookRefused('The time stamp is too far from now: a repeat, or a wrong clock.')
  }
  const text = typeof received.body === 'string' ? received.body : new TextDecoder().decode(received.body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const given = signatures.split(' ').flatMap((each) => {
    const bytes = each.startsWith('v1,') ? decodeBase64(each.slice(3)) : undefined
    return bytes === undefined ? [] : [bytes]
  })
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await importSecret(secret)
    // Web Crypto compares without telling by its time how much was right.
    for (const signature of given) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return JSON.parse(text) as CloudEvent
    }
  }
  throw new WebhookRefused('No signature is that of a secret.')
}

const importSecret = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', decodeSecret(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])

function headerOf(headers: ReceivedWebhook['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}
