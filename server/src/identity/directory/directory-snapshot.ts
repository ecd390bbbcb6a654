/**
 * The firms and credentials that may call: every firm, credential and signing key at one moment, read in one
 * round trip. Known and unknown clients are looked up in memory in the same way.
 */

import type { Pool } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { MasterKeys } from '../../encryption/master-key.ts'
import { readKeysOfCells } from '../../store/cell-signing-keys.ts'
import { readCredentials, type StoredCredential } from '../../store/credentials.ts'
import type { Firm } from '../../store/firm.ts'
import { firmOf, readFirms } from '../../store/firms.ts'
import { readIdentityVersion } from '../../store/identity-version.ts'
import { readSigningKeys } from '../../store/signing-keys.ts'
import { openSigningKey, type SigningKey } from '../keys/signing-key.ts'

export interface KnownFirm {
  readonly firm: Firm
  readonly disabled: boolean
}

export interface DirectorySnapshot {
  readonly version: bigint
  readonly firms: ReadonlyMap<string, KnownFirm>
  readonly credentials: ReadonlyMap<string, StoredCredential>
  readonly signingKeys: ReadonlyMap<string, SigningKey>
}

export interface DirectorySnapshotSettings {
  readonly operations: Pool
  readonly masterKeys: MasterKeys
  readonly now: () => Date
  /** Called for a signing key that cannot be opened here; other keys stay usable. */
  readonly onFault: (fault: unknown) => void
}

/** Takes a new snapshot. Unchanged keys of `before` are not opened again. */
export async function takeDirectorySnapshot(
  settings: DirectorySnapshotSettings,
  before: DirectorySnapshot | undefined,
): Promise<DirectorySnapshot> {
  const scope = { firm: null, readOnly: true, isolation: 'repeatable read', repeatable: true } as const
  const [version, firms, credentials, keys, keysOfCells] = await inTransaction(
    settings.operations,
    scope,
    (tx) =>
      Promise.all([
        readIdentityVersion(tx),
        readFirms(tx),
        readCredentials(tx, settings.now()),
        readSigningKeys(tx),
        readKeysOfCells(tx),
      ]),
  )
  const signingKeys = new Map<string, SigningKey>()
  for (const stored of [...keysOfCells, ...keys]) {
    const known = before?.signingKeys.get(stored.kid)
    if (known !== undefined && (known.privateKey !== undefined) === (stored.wrapped !== null)) {
      signingKeys.set(stored.kid, { ...known, activeFrom: stored.activeFrom, retiredAt: stored.retiredAt })
      continue
    }
    try {
      signingKeys.set(stored.kid, await openSigningKey(settings.masterKeys, stored))
    } catch (fault) {
      settings.onFault(fault)
      const publicOnly = { ...stored, wrapped: null, masterKeyId: null }
      signingKeys.set(stored.kid, await openSigningKey(settings.masterKeys, publicOnly))
    }
  }
  return {
    version,
    firms: new Map(
      firms.map((row) => [row.firmId, { firm: firmOf(row), disabled: row.disabledAt !== null }]),
    ),
    credentials: new Map(credentials.map((credential) => [credential.clientId, credential])),
    signingKeys,
  }
}
