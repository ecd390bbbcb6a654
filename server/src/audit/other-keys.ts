/**
 * The seal keys of other cells, which signed the seals and audit heads of firms that came from there. A key
 * is admitted by a signature of this cell's own key, so the owner of the database cannot insert one.
 */
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { Tx } from '../database/transaction.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { insertOtherSealKey, readOtherSealKeys } from '../store/moved-firms.ts'
import { type OwnKeys, readOwnKeys } from './own-keys.ts'
import { keyIdOf, takeSealKey } from './seal-key.ts'

export interface OtherKey {
  readonly cell: string
  readonly key: KeyObject
}

/** The keys whose signatures this cell accepts. */
export interface TrustedKeys {
  readonly own: OwnKeys
  /** Keys of other cells by their id. */
  readonly other: ReadonlyMap<string, OtherKey>
}

/** The public key of another cell for the transfer, as SubjectPublicKeyInfo. */
export interface SharedKey {
  readonly cell: string
  readonly publicKey: Buffer
}

/** All keys by their id. */
export function allKeys({ own, other }: TrustedKeys): OwnKeys {
  return new Map([...own, ...[...other].map(([keyId, { key }]) => [keyId, key] as const)])
}

export async function readTrustedKeys(tx: Tx, masterKeys: MasterKeys): Promise<TrustedKeys> {
  const own = await readOwnKeys(tx, masterKeys)
  const other = new Map<string, OtherKey>()
  for (const { keyId, cell, publicKey, admittedBy, signature } of await readOtherSealKeys(tx)) {
    const admitter = own.get(admittedBy)
    if (admitter === undefined || keyIdOf(publicKey) !== keyId) continue
    if (verify(null, messageOf(cell, keyId), admitter, signature)) {
      other.set(keyId, { cell, key: createPublicKey({ key: publicKey, format: 'der', type: 'spki' }) })
    }
  }
  return { own, other }
}

/**
 * All keys that may have signed a firm's seals and heads. The cell to which the firm moves admits them.
 * `cell` is the name of this cell.
 */
export async function readKeysToShare(tx: Tx, masterKeys: MasterKeys, cell: string): Promise<SharedKey[]> {
  const { own, other } = await readTrustedKeys(tx, masterKeys)
  const bytesOf = (key: KeyObject) => key.export({ format: 'der', type: 'spki' })
  return [
    ...[...own.values()].map((key) => ({ cell, publicKey: bytesOf(key) })),
    ...[...other.values()].map((each) => ({ cell: each.cell, publicKey: bytesOf(each.key) })),
  ]
}

/**
 * Trusts keys of other cells from now on. Does not change this cell's own keys and keys that were admitted
 * before.
 */
export async function admitSealKeys(
  tx: Tx,
  masterKeys: MasterKeys,
  keys: readonly SharedKey[],
  now: Date,
): Promise<void> {
  const admitter = await takeSealKey(tx, masterKeys, now)
  const { own, other } = await readTrustedKeys(tx, masterKeys)
  for (const { cell, publicKey } of keys) {
    const keyId = keyIdOf(publicKey)
    if (own.has(keyId) || other.has(keyId)) continue
    const signature = sign(null, messageOf(cell, keyId), admitter.privateKey)
    insertOtherSealKey(tx, { keyId, cell, publicKey, admittedBy: admitter.keyId, signature }, now)
  }
}

function messageOf(cell: string, keyId: string): Buffer {
  return Buffer.from(JSON.stringify(['seal key of a cell', cell, keyId]))
}

/** Renders a JSON Web Key Set (RFC 7517, RFC 8037). A key of another cell has the member `cell`. */
export function renderKeySet({ own, other }: TrustedKeys): { keys: object[] } {
  const render = (kid: string, key: KeyObject, of: object) => ({
    ...key.export({ format: 'jwk' }),
    kid,
    alg: 'EdDSA',
    use: 'sig',
    ...of,
  })
  return {
    keys: [
      ...[...own].map(([kid, key]) => render(kid, key, {})),
      ...[...other].map(([kid, { key, cell }]) => render(kid, key, { cell })),
    ],
  }
}
