// The master key wraps the firms' keys and nothing else. A MasterKey may be a file (here) or a key management service
// (any object with the same three members). Several are held at once, so that a key can be replaced without downtime:
// the current one wraps, and each one unwraps.
import type { KeyObject } from 'node:crypto'
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { KEY_BYTES, NONCE_BYTES, startDecryption, startEncryption, TAG_BYTES, takeNonce } from './aes-gcm.ts'

export type MasterKey = {
  /** Names the key in stored rows, and reveals nothing about it. */
  readonly keyId: string
  /** Encrypts a firm's key. `aad` identifies the key; `unwrap` needs the same text. */
  wrap(dataKey: Buffer, aad: string): Promise<Buffer>
  /** Decrypts a key that `wrap` made. Throws when the bytes, the aad or the master key are not the same. */
  unwrap(wrapped: Buffer, aad: string): Promise<Buffer>
}

export type MasterKeys = {
  /** Wraps all new keys. */
  readonly current: MasterKey
  /** Returns the current or older key with this id. Throws a fault with the id when that key is not held. */
  withId(keyId: string): MasterKey
  /** The ids of all held keys, the current key first. */
  readonly keyIds: readonly string[]
}

const WRAP_VERSION = 1

/** Gathers the keys for unwrapping: the current key first, then the keys that are being replaced. */
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
    keyIds: [...byId.keys()].reverse(),
  }
}

/**
 * The length of the part of a key's id that stands in the names of database sessions. PostgreSQL keeps 63 bytes of a
 * name: five such parts.
 */
const mentionLength = 8

/** The names under which the sessions of a process show other processes which master keys it holds. */
export const sessionsOfHolders = 'clearing identity'

export function nameSessions({ keyIds }: MasterKeys): string {
  return [sessionsOfHolders, ...keyIds.map(mentionOf)].join(' ')
}

export function mentionOf(keyId: string): string {
  return keyId.slice('mk-'.length, 'mk-'.length + mentionLength)
}

/**
 * Makes a master key from 32 bytes in this process: AES-256-GCM with the aad authenticated. The given bytes are
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

/** Makes the text of a new random master key for its file; `openssl rand -base64 32` makes the same. */
export function makeMasterKeyText(): string {
  return randomBytes(KEY_BYTES).toString('base64')
}

function nameMasterKey(key: KeyObject): string {
  const digest = createHmac('sha256', key).update('clearing master key id').digest('hex')
  return `mk-${digest.slice(0, 16)}`
}
