/** The secret of a webhook: `whsec_` and base64 (Standard Webhooks). */
const prefix = 'whsec_'
const secretBytes = 32

/** The bytes of a secret. Throws a `TypeError` for an invalid secret. */
export function decodeSecret(secret: string): Uint8Array<ArrayBuffer> {
  // A program without the types can pass an environment variable that is not set.
  const bytes = String(secret).startsWith(prefix) ? decodeBase64(secret.slice(prefix.length)) : undefined
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError(`a webhook's secret begins with ${prefix}`)
  return bytes
}

/** Generates a random secret, for tests of a receiver. */
export function makeWebhookSecret(): string {
  return prefix + btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(secretBytes))))
}

/** Undefined for a text that is not base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
