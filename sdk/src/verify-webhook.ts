/**
 * Verifies a webhook delivery according to the Standard Webhooks specification, with Web Crypto: the service
 * sent it recently, and it was not changed. Pass the body unchanged: a body that was parsed and serialized
 * again has other bytes.
 */
import { webhookToleranceSeconds } from '@clearing/protocol/calls'
import type { CloudEvent } from './events.ts'
import { checkNames, settingNames } from './setting-names.ts'
import { decodeBase64, decodeSecret } from './webhook-secret.ts'

/** The request is not a delivery of the service. Respond with 400 and do nothing. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

interface HeadersWithGet {
  get(name: string): string | null | undefined
}

/** A delivery as received over HTTP. */
export interface ReceivedWebhook {
  /** The body, unchanged. */
  readonly body: string | Uint8Array | ArrayBuffer
  /** The headers: an object with `get`, such as the `Headers` of any runtime or package, or Node's headers. */
  readonly headers: HeadersWithGet | Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Settings of the check of the timestamp. */
export interface VerifySettings {
  /** Allowed difference between the timestamp and now, a number of at least 0. The default is five minutes. */
  readonly toleranceSeconds?: number | undefined
  /** The time to compare with. The default is the runtime's clock. */
  readonly now?: Date | undefined
}

/**
 * Returns the event of a genuine delivery. Throws `WebhookRefused` for any other request. During the rotation of a
 * secret, pass both secrets.
 *
 * ```ts
 * const event = await verifyWebhook({ body, headers: request.headers }, [secret, secretBefore])
 * ```
 */
export async function verifyWebhook(
  received: ReceivedWebhook,
  secrets: string | readonly string[],
  settings: VerifySettings = {},
): Promise<CloudEvent> {
  checkNames(settings, settingNames.verifyWebhook)
  const { toleranceSeconds = webhookToleranceSeconds, now = new Date() } = settings
  checkVerifySettings(toleranceSeconds, now)
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(received.headers, name),
  )
  if (!id || !timestamp || !signatures) throw new WebhookRefused('A header of the signature is missing.')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookRefused('The timestamp is not valid.')
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookRefused('The timestamp is too far from now: a replay or a wrong clock.')
  }
  const body = bytesOf(received.body)
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  const given = signatures.split(' ').flatMap((each) => {
    const bytes = each.startsWith('v1,') ? decodeBase64(each.slice(3)) : undefined
    return bytes === undefined ? [] : [bytes]
  })
  const all = typeof secrets === 'object' ? secrets : [secrets]
  if (all.length === 0)
    throw new TypeError('the secret of the webhook is missing: the list of secrets is empty')
  for (const secret of all) {
    const key = await importSecret(secret)
    // Web Crypto compares in constant time.
    for (const signature of given) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return parseEvent(body)
    }
  }
  throw new WebhookRefused('No signature matches a secret.')
}

/** Every comparison with NaN is false, so that a setting that is not a number would accept a replay. */
function checkVerifySettings(toleranceSeconds: unknown, now: Date): void {
  if (typeof toleranceSeconds !== 'number' || !(toleranceSeconds >= 0))
    throw new TypeError(`toleranceSeconds must be a number of at least 0; got ${String(toleranceSeconds)}`)
  if (typeof now?.getTime !== 'function' || Number.isNaN(now.getTime()))
    throw new TypeError(`now must be a valid Date; got ${String(now)}`)
}

/** The bytes as received: decoding could hide a difference, such as a byte order mark. */
function bytesOf(body: ReceivedWebhook['body']): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new TypeError(
    'body must be the text or the bytes of the request, as received. A parsed body has no signature.',
  )
}

function parseEvent(body: Uint8Array): CloudEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as CloudEvent
  } catch {
    throw new WebhookRefused('The body is signed, but is not JSON.')
  }
}

function importSecret(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', decodeSecret(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ])
}

/** The class of the headers can be of another package or realm, so that `instanceof` does not recognize it. */
function headerOf(headers: ReceivedWebhook['headers'], name: string): string | undefined {
  const found = hasGet(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}

function hasGet(headers: ReceivedWebhook['headers']): headers is HeadersWithGet {
  return typeof headers.get === 'function'
}
