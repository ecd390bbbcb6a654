/** Idempotency keys and trace ids, from Web Crypto. */

const randomHex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** A key that no other call has: a UUID, version 4. `crypto.randomUUID` is missing on pages without TLS. */
export function makeIdempotencyKey(): string {
  const hex = randomHex(16)
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** A W3C traceparent that begins a trace; the service continues it, so the call can be found without an answer too. */
export const makeTraceparent = () => `00-${randomHex(16)}-${randomHex(8)}-01`
