/** Stored credentials and their secrets. A secret is stored as a salted hash, and no function returns it. */
import type { Scope } from '@clearing/protocol'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

export interface StoredCredential {
  readonly clientId: string
  readonly firmId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** A JWK set. With it the client signs its token requests instead of sending a secret. */
  readonly publicKeys: { readonly keys: readonly object[] } | null
  /** Networks in CIDR notation. Without any the credential may be used from every address. */
  readonly addressRanges: readonly string[]
  /** Whether each of its tokens must be bound to a key. */
  readonly boundTokens: boolean
  /**
   * The generation of valid tokens. Each token names its generation; tokens of an earlier generation are
   * invalid.
   */
  readonly generation: number
  readonly disabledAt: string | null
  readonly createdAt: string
  /** Secrets that are neither revoked nor expired, newest first. */
  readonly secrets: readonly StoredSecret[]
}

export interface StoredSecret {
  readonly secretId: string
  readonly hash: Buffer
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

interface CredentialRow extends Omit<StoredCredential, 'secrets'> {
  readonly secretIds: string[]
  readonly hashes: Buffer[]
  readonly secretTimes: string[]
  readonly expiries: (string | null)[]
}

/** `$1` is the current time: expired secrets are left out. */
function select(where: string) {
  return `
  select c.client_id as "clientId", c.firm_id as "firmId", c.name, c.scopes, c.public_keys as "publicKeys",
    c.address_ranges as "addressRanges",
    c.bound_tokens as "boundTokens", c.generation, c.disabled_at as "disabledAt", c.created_at as "createdAt",
    coalesce(s.ids, '{}') as "secretIds", coalesce(s.hashes, '{}') as hashes,
    coalesce(s.times, '{}') as "secretTimes", coalesce(s.expiries, '{}') as expiries
  from clearing.credential c
  left join lateral (
    select array_agg(secret_id::text order by created_at desc, secret_id) as ids,
      array_agg(secret_hash order by created_at desc, secret_id) as hashes,
      array_agg(created_at order by created_at desc, secret_id) as times,
      array_agg(expires_at order by created_at desc, secret_id) as expiries
    from clearing.credential_secret
    where firm_id = c.firm_id and client_id = c.client_id
      and revoked_at is null and (expires_at is null or expires_at > $1)
  ) s on true
  ${where}`
}

const selectCredentials = statement<CredentialRow>(
  'select-credentials',
  select('order by c.created_at, c.client_id'),
)
const selectCredential = statement<CredentialRow>('select-credential', select('where c.client_id = $2'))
const lockCredentialRow = statement(
  'lock-credential',
  'select from clearing.credential where client_id = $1 for no key update',
)
const insertCredentialRow = statement(
  'insert-credential',
  `insert into clearing.credential (client_id, firm_id, name, scopes, created_at)
   values ($1, $2, $3, $4, $5) on conflict do nothing`,
)
const insertSecretRow = statement(
  'insert-credential-secret',
  `insert into clearing.credential_secret (secret_id, client_id, firm_id, secret_hash, created_at)
   select $1, client_id, firm_id, $3, $4 from clearing.credential where client_id = $2 on conflict do nothing`,
)
const disableRow = statement(
  'disable-credential',
  `update clearing.credential set disabled_at = case when $2::boolean then coalesce(disabled_at, $3) end
   where client_id = $1`,
)
const replaceKeysRow = statement(
  'replace-public-keys',
  `update clearing.credential set public_keys = $2, generation = generation + case when $3::boolean then 1 else 0 end
   where client_id = $1`,
)
const selectNetworks = statement<{ range: string; exact: boolean }>(
  'select-networks',
  `select network(given.range::inet)::text as range, network(given.range::inet)::inet = given.range::inet as exact
   from unnest($1::text[]) with ordinality given (range, place) order by given.place`,
)
const restrictRow = statement(
  'restrict-credential',
  `update clearing.credential set address_ranges = coalesce($2, address_ranges), bound_tokens = coalesce($3, bound_tokens)
   where client_id = $1`,
)
const revokeRows = statement(
  'revoke-credential-secrets',
  'update clearing.credential_secret set revoked_at = $2 where client_id = $1 and revoked_at is null',
)
const expireRows = statement(
  'expire-credential-secrets',
  `update clearing.credential_secret s set expires_at = least(s.expires_at, case when s.secret_id = $3 then $4 else $2 end)
   where s.client_id = $1 and s.revoked_at is null and (s.expires_at is null or s.expires_at > $2)`,
)

function parse({ secretIds, hashes, secretTimes, expiries, ...rest }: CredentialRow): StoredCredential {
  return {
    ...rest,
    secrets: secretIds.map((secretId, at) => ({
      secretId,
      hash: hashes[at] as Buffer,
      createdAt: new Date(secretTimes[at] as string),
      expiresAt: expiries[at] == null ? null : new Date(expiries[at]),
    })),
  }
}

/** Every credential with its valid secrets. */
export async function readCredentials(tx: Tx, now: Date): Promise<StoredCredential[]> {
  return (await tx.rows(selectCredentials, [now])).map(parse)
}

export async function readCredential(
  tx: Tx,
  clientId: string,
  now: Date,
): Promise<StoredCredential | undefined> {
  const row = await tx.row(selectCredential, [now, clientId])
  return row && parse(row)
}

/** Locks the credential's row until the transaction ends. False if there is no such credential. */
export async function lockCredential(tx: Tx, clientId: string): Promise<boolean> {
  return (await tx.run(lockCredentialRow, [clientId])) === 1
}

/** False if the client id is taken, also in another letter case. */
export async function insertCredential(
  tx: Tx,
  credential: { clientId: string; firmId: string; name: string; scopes: readonly Scope[]; at: Date },
): Promise<boolean> {
  return (
    (await tx.run(insertCredentialRow, [
      credential.clientId,
      credential.firmId,
      credential.name,
      credential.scopes,
      credential.at,
    ])) === 1
  )
}

/** False if a secret with this id exists, or the credential does not. */
export async function insertSecret(
  tx: Tx,
  secret: { secretId: string; clientId: string; hash: Buffer; at: Date },
): Promise<boolean> {
  return (await tx.run(insertSecretRow, [secret.secretId, secret.clientId, secret.hash, secret.at])) === 1
}

/** Disabling ends the credential's tokens for good (trigger end_tokens). Enabling allows new tokens. */
export function disableCredentialRow(tx: Tx, clientId: string, disabled: boolean, at: Date): Promise<number> {
  return tx.run(disableRow, [clientId, disabled, at])
}

/** Revokes all secrets and ends the tokens issued for them (trigger end_tokens). */
export function revokeSecrets(tx: Tx, clientId: string, at: Date): Promise<number> {
  return tx.run(revokeRows, [clientId, at])
}

/** The named secret expires at `until`, every other one now. Issued tokens stay valid. */
export function expireSecrets(
  tx: Tx,
  clientId: string,
  at: Date,
  lasting: { secretId: string; until: Date },
): Promise<number> {
  return tx.run(expireRows, [clientId, at, lasting.secretId, lasting.until])
}

/**
 * From now on the client signs its token requests with one of these keys. Null allows its secrets again. `endTokens`
 * ends the tokens that were issued before.
 */
export function replacePublicKeys(
  tx: Tx,
  clientId: string,
  keys: { readonly keys: readonly object[] } | null,
  endTokens: boolean,
): Promise<number> {
  return tx.run(replaceKeysRow, [clientId, keys === null ? null : { ...keys }, endTokens])
}

/** Parses addresses and networks into the notation of PostgreSQL. `exact` is false if bits after the prefix are set. */
export function readNetworks(
  tx: Tx,
  ranges: readonly string[],
): Promise<{ readonly range: string; readonly exact: boolean }[]> {
  return tx.rows(selectNetworks, [ranges])
}

/** Undefined members stay unchanged. */
export function restrictCredential(
  tx: Tx,
  clientId: string,
  change: {
    readonly addressRanges: readonly string[] | undefined
    readonly boundTokens: boolean | undefined
  },
): Promise<number> {
  return tx.run(restrictRow, [clientId, change.addressRanges ?? null, change.boundTokens ?? null])
}
