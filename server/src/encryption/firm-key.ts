// A firm's keys as the store holds them: one current data key (seals columns and documents) and one current index key
// (blind indexes and digests). Older keys stay to open the values that they sealed. Only wrapped keys ever leave the
// process.
import { randomBytes } from 'node:crypto'
import { KEY_BYTES } from './aes-gcm.ts'
import type { MasterKeys } from './master-key.ts'

export type KeyPurpose = 'data' | 'index'

/** A row of the store, unique by (firmId, purpose, keyId). The highest keyId of a purpose is the current key. */
export type FirmKey = {
  firmId: string
  purpose: KeyPurpose
  /** 1, 2, 3 … within the firm and purpose. Every ciphertext holds it as four bytes. */
  keyId: number
  wrapped: Buffer
  masterKeyId: string
  createdAt: Date
}

const KEY_ID_MAX = 0xffff_ffff

/**
 * Makes the first data key and the first index key of a firm, to be stored in the transaction that creates the firm.
 */
export async function makeFirstFirmKeys(
  masterKeys: MasterKeys,
  firmId: string,
  now: Date,
): Promise<[FirmKey, FirmKey]> {
  return [
    await makeFirmKey(masterKeys, { firmId, purpose: 'data', keyId: 1 }, now),
    await makeFirmKey(masterKeys, { firmId, purpose: 'index', keyId: 1 }, now),
  ]
}

/**
 * Makes the data key after those in `rows` (all keys of the firm). New values are sealed with it once keyrings have
 * reloaded; older keys still open. Concurrent replacements make the same keyId, and the primary key of the store
 * refuses the second. The index key is never replaced, because rows are found by the indexes that it made.
 */
export async function makeNextDataKey(
  masterKeys: MasterKeys,
  rows: readonly FirmKey[],
  now: Date,
): Promise<FirmKey> {
  const firmId = rows[0]?.firmId
  if (firmId === undefined) throw new Error('A firm without keys has none to replace.')
  let keyId = 0
  for (const row of rows) if (row.purpose === 'data') keyId = Math.max(keyId, row.keyId)
  if (keyId >= KEY_ID_MAX) throw new Error(`Firm ${firmId} has used every key id.`)
  return makeFirmKey(masterKeys, { firmId, purpose: 'data', keyId: keyId + 1 }, now)
}

/**
 * Wraps the same key under the current master key; undefined when it is already wrapped under it. Ciphertexts
 * do not change.
 */
export async function rewrapFirmKey(masterKeys: MasterKeys, row: FirmKey): Promise<FirmKey | undefined> {
  if (row.masterKeyId === masterKeys.current.keyId) return undefined
  const key = await unwrapFirmKey(masterKeys, row)
  try {
    const wrapped = await masterKeys.current.wrap(key, bindFirmKey(row))
    return { ...row, wrapped, masterKeyId: masterKeys.current.keyId }
  } finally {
    key.fill(0)
  }
}

/** Returns the 32 bytes of a stored key. The caller overwrites them after use. */
export async function unwrapFirmKey(masterKeys: MasterKeys, row: FirmKey): Promise<Buffer> {
  const key = await masterKeys.withId(row.masterKeyId).unwrap(row.wrapped, bindFirmKey(row))
  if (key.length !== KEY_BYTES) throw new Error(`A key of firm ${row.firmId} has ${key.length} bytes.`)
  return key
}

async function makeFirmKey(
  masterKeys: MasterKeys,
  name: { firmId: string; purpose: KeyPurpose; keyId: number },
  now: Date,
): Promise<FirmKey> {
  const key = randomBytes(KEY_BYTES)
  try {
    const wrapped = await masterKeys.current.wrap(key, bindFirmKey(name))
    return { ...name, wrapped, masterKeyId: masterKeys.current.keyId, createdAt: now }
  } finally {
    key.fill(0)
  }
}

/** Binds a wrapped key to its firm, purpose and number: moved elsewhere, it does not unwrap. */
function bindFirmKey(row: { firmId: string; purpose: KeyPurpose; keyId: number }): string {
  return JSON.stringify(['firm key', row.firmId, row.purpose, row.keyId])
}
