// The master key: wraps the firms' keys and nothing else. A MasterKey may live in a file (here) or in a key management
// service (any object with the same three members). Several are held at once, so that one can be replaced without
// downtime: the current one wraps, every one unwraps.
import type { KeyObject } from 'node:crypto'
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { KEY_BYTES, NONCE_BYTES, startDecryption, startEncryption, TAG_BYTES, takeNonce } from './aes-gcm.ts'

export type MasterKey = {
  /** Names the key in stored rows; tells nothing about it. */
  readonly keyId: string
  /** Encrypts a firm's key. `aad` says whose and which key it is; the same text must be given to unwrap. */
  wrap(dataKey: Buffer, aad: string): Promise<Buffer>
  /** Opens what `wrap` made. Throws a fault when the bytes, the aad or the key are not the ones used. */
  unwrap(wrapped: Buffer, aad: string): Promise<Buffer>
}

export type MasterKeys = {
  /** Wraps everything new. */
  readonly current: MasterKey
  /** The key with this id, current or older; throws a fault that names the id when it is not held. */
  withId(keyId: string): MasterKey
}

const WRAP_VERSION = 1

/** The keys to unwrap with: the current one first, then those being retired. */
export function gatherMasterKeys(current: MasterKey, ...older: MasterKey[]): MasterKeys {
  const byId = new Map<string, MasterKey>()
  for (const key of [...older, current]) byId.set(key.keyId, key)
  return {
    current,
    withId(keyId) {
      const key = byId.get(keyId)
      if (!key)
        throw new Error(`Master key ${keyId} is not configured, but keys in the store are wrapped under it.`)
      return key
    },
  }
}

/**
 * A master key from 32 bytes held in this process: AES-256-GCM with the aad authenticated. The bytes given are
 * overwritten. Layout of a wrapped key: version (1), nonce (12), ciphertext, tag (16).
 */
export function masterKeyFromBytes(bytes: Buffer): MasterKey {
  if (bytes.length !== KEY_BYTES) throw new Error(`A master key has 32 bytes; got ${bytes.length}.`)
  const key = createSecretKey(bytes)
  bytes.fill(0)
  return {
    keyId: nameMasterKey(key),
    async wrap(dataKey, aad) {
      const nonce = takeNonce()
      const cipher = startEncryption(key, nonce, Buffer.from(aad))
      return Buffer.concat([
        Buffer.of(WRAP_VERSION),
        nonce,
        cipher.update(dataKey),
        cipher.final(),
        cipher.getAuthTag(),
      ])
    },
    async unwrap(wrapped, aad) {
      try {
        if (wrapped[0] !== WRAP_VERSION) throw new Error(`Unknown version ${wrapped[0]} of a wrapped key.`)
        const nonceEnd = 1 + NONCE_BYTES
        const tagStart = wrapped.length - TAG_BYTES
        if (tagStart < nonceEnd) throw new Error('The wrapped key is too short.')
        const decipher = startDecryption(
          key,
          wrapped.subarray(1, nonceEnd),
          Buffer.from(aad),
          wrapped.subarray(tagStart),
        )
        return Buffer.concat([decipher.update(wrapped.subarray(nonceEnd, tagStart)), decipher.final()])
      } catch (cause) {
        throw new Error('A wrapped key does not open under its master key.', { cause })
      }
    },
  }
}

/** A new random master key's text, as its file holds it: `openssl rand -base64 32` makes the same. */
export function makeMasterKeyText(): string {
  return randomBytes(KEY_BYTES).toString('base64')
}

function nameMasterKey(key: KeyObject): string {
  const digest = createHmac('sha256', key).update('clearing master key id').digest('hex')
  return `mk-${digest.slice(0, 16)}`
}
