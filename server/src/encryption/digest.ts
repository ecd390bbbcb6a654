// Digests of requests, stored to recognize a repeated request: HMAC-SHA-256 under the firm's index key, because a plain
// hash of a request with a nine-digit number can be guessed from a stolen table.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { currentIndexKey, type FirmKeys } from './keyring.ts'

const DIGEST_BYTES = 32

/**
 * Returns the digest of `parts` in order; ['ab', 'c'] and ['a', 'bc'] differ. `kind` names the digested value
 * ('idempotency').
 */
export function digestRequest(keys: FirmKeys, kind: string, ...parts: (string | Uint8Array)[]): Buffer {
  const hmac = createHmac('sha256', currentIndexKey(keys))
  for (const part of ['digest', kind, ...parts]) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    const length = Buffer.alloc(8)
    length.writeBigUInt64BE(BigInt(bytes.length))
    hmac.update(length).update(bytes)
  }
  return hmac.digest()
}

/** Returns true when `stored` is the digest of these parts. */
export function matchesDigest(
  keys: FirmKeys,
  stored: Uint8Array,
  kind: string,
  ...parts: (string | Uint8Array)[]
): boolean {
  return stored.length === DIGEST_BYTES && timingSafeEqual(digestRequest(keys, kind, ...parts), stored)
}
