/**
 * The key that signs seals. It is an Ed25519 key whose private half is stored only wrapped under the master
 * key.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import type { Tx } from '../database/transaction.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import {
  insertSealKey,
  lockSealKeys,
  readSealKeys,
  rewrapSealKey,
  type StoredSealKey,
} from '../store/seals.ts'

export interface SealKey {
  readonly keyId: string
  readonly privateKey: KeyObject
}

/**
 * Returns the newest key that a held master key opens, or creates the first one. It stays wrapped as it is: during a
 * rolling restart, other processes do not have the current master key yet.
 */
export async function takeSealKey(tx: Tx, masterKeys: MasterKeys, now: Date): Promise<SealKey> {
  lockSealKeys(tx)
  const stored = await readSealKeys(tx)
  const youngest = stored.find((key) => isHeld(masterKeys, key.masterKeyId))
  if (youngest !== undefined) return openSealKey(masterKeys, youngest)
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const publicBytes = publicKey.export({ format: 'der', type: 'spki' })
  const keyId = keyIdOf(publicBytes)
  const bytes = privateKey.export({ format: 'der', type: 'pkcs8' })
  try {
    const wrapped = await masterKeys.current.wrap(bytes, bindSealKey(keyId))
    insertSealKey(tx, { keyId, publicKey: publicBytes, wrapped, masterKeyId: masterKeys.current.keyId }, now)
  } finally {
    bytes.fill(0)
  }
  return { keyId, privateKey }
}

/**
 * Wraps the private halves of all keys under the current master key, so that the previous one can be removed and older
 * seals still verify. Returns the number of changed keys. Only for a caller that has checked that every running process
 * holds the current master key.
 */
export async function rewrapSealKeys(tx: Tx, masterKeys: MasterKeys): Promise<number> {
  lockSealKeys(tx)
  const older = (await readSealKeys(tx)).filter(
    ({ masterKeyId }) => masterKeyId !== masterKeys.current.keyId && isHeld(masterKeys, masterKeyId),
  )
  for (const key of older) await rewrap(tx, masterKeys, key)
  return older.length
}

async function rewrap(tx: Tx, masterKeys: MasterKeys, stored: StoredSealKey): Promise<void> {
  const { keyId, wrapped, masterKeyId } = stored
  const bytes = await masterKeys.withId(masterKeyId).unwrap(wrapped, bindSealKey(keyId))
  try {
    rewrapSealKey(tx, keyId, {
      wrapped: await masterKeys.current.wrap(bytes, bindSealKey(keyId)),
      masterKeyId: masterKeys.current.keyId,
    })
  } finally {
    bytes.fill(0)
  }
}

function isHeld({ keyIds }: MasterKeys, masterKeyId: string): boolean {
  return keyIds.includes(masterKeyId)
}

/** The keys that no held master key opens. */
export async function readUnheldSealKeys(tx: Tx, masterKeys: MasterKeys): Promise<StoredSealKey[]> {
  return (await readSealKeys(tx)).filter(({ masterKeyId }) => !isHeld(masterKeys, masterKeyId))
}

/**
 * Returns true when the key belongs to this service: its private half opens under a held master key and matches its
 * public half.
 */
export async function isOwnSealKey(masterKeys: MasterKeys, stored: StoredSealKey): Promise<boolean> {
  try {
    await openSealKey(masterKeys, stored)
    return true
  } catch {
    return false
  }
}

async function openSealKey(masterKeys: MasterKeys, stored: StoredSealKey): Promise<SealKey> {
  const { keyId, wrapped, masterKeyId } = stored
  const bytes = await masterKeys.withId(masterKeyId).unwrap(wrapped, bindSealKey(keyId))
  try {
    const privateKey = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' })
    const publicKey = publicKeyOf(stored)
    if (publicKey === undefined || !createPublicKey(privateKey).equals(publicKey)) {
      throw new Error(`the two halves of seal key ${keyId} differ`)
    }
    return { keyId, privateKey }
  } finally {
    bytes.fill(0)
  }
}

/** The id of a key is the SHA-256 of its public half (SubjectPublicKeyInfo). */
export function keyIdOf(publicKey: Buffer): string {
  return createHash('sha256').update(publicKey).digest('base64url')
}

/** Undefined when the row does not hold the key that its id names. */
export function publicKeyOf({ keyId, publicKey }: StoredSealKey): KeyObject | undefined {
  return keyIdOf(publicKey) === keyId
    ? createPublicKey({ key: publicKey, format: 'der', type: 'spki' })
    : undefined
}

/** Binds a private half to its row. It cannot be opened in the row of another key. */
function bindSealKey(keyId: string): string {
  return JSON.stringify(['seal key', keyId])
}
