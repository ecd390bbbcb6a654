/** The keys that sign access tokens, shared by all instances. Private keys are wrapped under the master key. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

/** A P-256 public key in the form of a JWKS. */
export interface PublicJwk {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
  readonly kid: string
  readonly alg: 'ES256'
  readonly use: 'sig'
}

export interface StoredSigningKey {
  readonly kid: string
  readonly publicJwk: PublicJwk
  /** Null if the key no longer signs. */
  readonly wrapped: Buffer | null
  readonly masterKeyId: string | null
  readonly createdAt: Date
  readonly activeFrom: Date
  /** The time from which its successor signs; null for the last key. */
  readonly retiredAt: Date | null
}

interface SigningKeyRow extends Omit<StoredSigningKey, 'createdAt' | 'activeFrom' | 'retiredAt'> {
  readonly createdAt: string
  readonly activeFrom: string
  readonly retiredAt: string | null
}

const selectKeys = statement<SigningKeyRow>(
  'select-signing-keys',
  `select kid, public_jwk as "publicJwk", wrapped, master_key_id as "masterKeyId", created_at as "createdAt",
     active_from as "activeFrom", retired_at as "retiredAt"
   from clearing.signing_key order by active_from, created_at`,
)
const selectTime = statement<{ at: string }>('select-time-of-keys', 'select clock_timestamp() as at')
const lockTable = statement(
  'lock-signing-keys',
  'lock table clearing.signing_key in share row exclusive mode',
)
const insertKey = statement(
  'insert-signing-key',
  `insert into clearing.signing_key (kid, public_jwk, wrapped, master_key_id, created_at, active_from)
   values ($1, $2, $3, $4, $5, $6)`,
)
const retireKey = statement(
  'retire-signing-key',
  `update clearing.signing_key set retired_at = greatest($2, active_from) where kid = $1 and (retired_at is null or retired_at > $2)`,
)
const forgetPrivateHalf = statement(
  'forget-private-half',
  'update clearing.signing_key set wrapped = null, master_key_id = null where kid = $1 and wrapped is not null',
)
const rewrapKey = statement(
  'rewrap-signing-key',
  'update clearing.signing_key set wrapped = $2, master_key_id = $3 where kid = $1 and wrapped is not null',
)
const deleteKey = statement('delete-signing-key', 'delete from clearing.signing_key where kid = $1')

/** Every key, oldest first. */
export async function readSigningKeys(tx: Tx): Promise<StoredSigningKey[]> {
  return (await tx.rows(selectKeys)).map((row) => ({
    ...row,
    createdAt: new Date(row.createdAt),
    activeFrom: new Date(row.activeFrom),
    retiredAt: row.retiredAt === null ? null : new Date(row.retiredAt),
  }))
}

/** The database's time. Keys use it, because all instances share it. */
export async function readTimeOfKeys(tx: Tx): Promise<Date> {
  const row = await tx.row(selectTime)
  if (row === undefined) throw new Error('the database returned no time')
  return new Date(row.at)
}

/** Only one instance at a time can change the keys. Reads do not wait. */
export function lockSigningKeys(tx: Tx): Promise<number> {
  return tx.run(lockTable)
}

export function insertSigningKey(
  tx: Tx,
  key: StoredSigningKey & { wrapped: Buffer; masterKeyId: string },
): Promise<number> {
  return tx.run(insertKey, [
    key.kid,
    { ...key.publicJwk },
    key.wrapped,
    key.masterKeyId,
    key.createdAt,
    key.activeFrom,
  ])
}

/** Makes another key sign from `at` on. */
export function retireSigningKey(tx: Tx, kid: string, at: Date): Promise<number> {
  return tx.run(retireKey, [kid, at])
}

export function forgetPrivateKey(tx: Tx, kid: string): Promise<number> {
  return tx.run(forgetPrivateHalf, [kid])
}

export function replaceSigningKeyWrapping(
  tx: Tx,
  kid: string,
  wrapped: Buffer,
  masterKeyId: string,
): Promise<number> {
  return tx.run(rewrapKey, [kid, wrapped, masterKeyId])
}

export function deleteSigningKey(tx: Tx, kid: string): Promise<number> {
  return tx.run(deleteKey, [kid])
}
