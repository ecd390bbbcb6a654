// AES-256-GCM as this product uses it everywhere: a 96-bit random nonce and a full 128-bit tag. Without `authTagLength`
// Node's decipher accepts tags of four bytes, which take 2^32 attempts to forge, so no other file calls
// createDecipheriv.
import type { CipherGCM, DecipherGCM, KeyObject } from 'node:crypto'
import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'

export const KEY_BYTES = 32
export const NONCE_BYTES = 12
export const TAG_BYTES = 16

const tagOption = { authTagLength: TAG_BYTES }

// Random nonces are generated 512 at a time: 29 million a second, compared with 0.5 million with one
// randomBytes(12) each.
const nonces = Buffer.alloc(NONCE_BYTES * 512)
let noncesUsed = nonces.length

/** Returns twelve fresh random bytes. The result is valid until the next call, so the caller must copy it before. */
export function takeNonce(): Buffer {
  if (noncesUsed === nonces.length) {
    randomFillSync(nonces)
    noncesUsed = 0
  }
  noncesUsed += NONCE_BYTES
  return nonces.subarray(noncesUsed - NONCE_BYTES, noncesUsed)
}

/** Returns a cipher for one message; `aad` is authenticated and not encrypted. */
export function startEncryption(key: KeyObject, nonce: Uint8Array, aad: Uint8Array): CipherGCM {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, tagOption)
  cipher.setAAD(aad)
  return cipher
}

/** Returns a decipher for one message. Throws on a tag that is not exactly 16 bytes. */
export function startDecryption(
  key: KeyObject,
  nonce: Uint8Array,
  aad: Uint8Array,
  tag: Uint8Array,
): DecipherGCM {
  if (nonce.length !== NONCE_BYTES) throw new Error(`The nonce has ${nonce.length} bytes instead of 12.`)
  if (tag.length !== TAG_BYTES) throw new Error(`The tag has ${tag.length} bytes instead of 16.`)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, tagOption)
  decipher.setAAD(aad)
  decipher.setAuthTag(tag)
  return decipher
}
