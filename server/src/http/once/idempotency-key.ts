/**
 * The header Idempotency-Key: 1 to 255 printable characters, plain or as the quoted string of the IETF draft (Reading
 * 1.12).
 */
import type { IncomingMessage } from 'node:http'
import { limits, type Rejection, reject } from '@clearing/protocol'
import { countHeader } from '../admission/bearer.ts'

const printable = /^[\x20-\x7e]+$/
const quoted = /^"((?:[^"\\]|\\["\\])*)"$/

/**
 * Returns the key, undefined without a header, or the rejection of an invalid key. `"k1"` and `k1` are the same key.
 */
export function readIdempotencyKey(raw: IncomingMessage): string | undefined | Rejection {
  const header = raw.headers['idempotency-key']
  if (header === undefined) return undefined
  if (countHeader(raw.rawHeaders, 'idempotency-key') > 1) {
    return reject('ERR.2004', '', 'The header Idempotency-Key must be given once.')
  }
  const text = String(header)
  const key = quoted.exec(text)?.[1]?.replace(/\\(.)/g, '$1') ?? text
  if (printable.test(key) && key.length <= limits.idempotencyKeyLengthMax) return key
  const reason = `The header Idempotency-Key must have 1 to ${limits.idempotencyKeyLengthMax} printable characters.`
  return reject('ERR.2004', '', reason)
}
