/** The keys that verify heads: only the service's own seal keys. */
import { type KeyObject, verify } from 'node:crypto'
import type { Tx } from '../database/transaction.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { readSealKeys } from '../store/seals.ts'
import { isOwnSealKey, publicKeyOf } from './seal-key.ts'

/** Public keys by their id. */
export type OwnKeys = ReadonlyMap<string, KeyObject>

/** A key whose private half opens under no held master key may belong to an attacker, so it is left out. */
export async function readOwnKeys(tx: Tx, masterKeys: MasterKeys): Promise<OwnKeys> {
  const own = new Map<string, KeyObject>()
  for (const stored of await readSealKeys(tx)) {
    const publicKey = publicKeyOf(stored)
    if (publicKey !== undefined && (await isOwnSealKey(masterKeys, stored))) own.set(stored.keyId, publicKey)
  }
  return own
}

/** Returns true when one of the keys signed the text. A signature has exactly one encoding. */
export function isSigned(
  keys: OwnKeys,
  text: string,
  { keyId, signature }: { readonly keyId: string; readonly signature: string },
): boolean {
  const key = keys.get(keyId)
  const bytes = Buffer.from(signature, 'base64url')
  return (
    key !== undefined &&
    bytes.toString('base64url') === signature &&
    verify(null, Buffer.from(text), key, bytes)
  )
}
