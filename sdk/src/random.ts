/** Idempotency keys and trace ids, from Web Crypto. */

function randomHex(bytes: number) {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** A unique key: a UUID, version 4. `crypto.randomUUID` is not available on pages without TLS. */
export function makeIdempotencyKey(): string {
  const hex = randomHex(16)
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}

/**
 * A W3C traceparent that begins a trace. The service continues the trace, so the call can be found even without a
 * response.
 */
export function makeTraceparent() {
  return `00-${randomHex(16)}-${randomHex(8)}-01`
}
