/**
 * Creates the first credential of operations, by a command on the machine of the service. All later
 * credentials are created with it, through the service.
 */
import { randomUUID } from 'node:crypto'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { writeAuditRow } from '../store/audit.ts'
import { insertCredential, insertSecret, readCredentials } from '../store/credentials.ts'
import { clearingFirmId, lockFirm } from '../store/firms.ts'
import { hashClientSecret, makeClientSecret } from './endpoint/client-secret.ts'
import { ensureFirm } from './ensure-firm.ts'
import { defaultScopes } from './grantable-scopes.ts'

const clearingFirm = { firmId: clearingFirmId, name: 'Clearing operations' }

export type FirstCredential =
  | { readonly kind: 'made'; readonly clientId: string; readonly clientSecret: string }
  /** Operations can already sign in; `force` creates another credential. */
  | { readonly kind: 'exists'; readonly clientIds: readonly string[] }

export interface ClearingFirmSettings {
  readonly operations: Pool
  readonly masterKeys: MasterKeys
  readonly now: Date
}

/** Makes the clearing firm's row and keys, which requests of operations need. Must be called at every start. */
export function ensureClearingFirm(settings: ClearingFirmSettings): Promise<void> {
  return inTransaction(settings.operations, { firm: null }, (tx) =>
    ensureFirm(tx, settings.masterKeys, clearingFirm, settings.now),
  )
}

/**
 * Makes a credential with the scope `operations`, and its one secret, which is shown once. Refuses when operations has
 * a credential, unless forced.
 */
export function createFirstOperationsCredential(
  settings: ClearingFirmSettings & { readonly force?: boolean },
): Promise<FirstCredential> {
  return inTransaction(settings.operations, { firm: null }, async (tx) => {
    const { masterKeys, now: at, force = false } = settings
    await ensureFirm(tx, masterKeys, clearingFirm, at)
    await lockFirm(tx, clearingFirmId)
    const own = (await readCredentials(tx, at)).filter(({ firmId }) => firmId === clearingFirmId)
    const usable = own.filter(({ disabledAt, secrets }) => disabledAt === null && secrets.length > 0)
    if (usable.length > 0 && !force)
      return { kind: 'exists', clientIds: usable.map(({ clientId }) => clientId) }
    const clientId = own.length === 0 ? 'operations' : `operations-${randomUUID().slice(0, 8)}`
    const name = 'First credential of operations'
    const scopes = defaultScopes(clearingFirmId)
    const inserted = await insertCredential(tx, { clientId, firmId: clearingFirmId, name, scopes, at })
    if (!inserted) throw new Error(`client id ${clientId} is taken by another firm`)
    const secretId = randomUUID()
    const clientSecret = makeClientSecret()
    await insertSecret(tx, { secretId, clientId, hash: hashClientSecret(secretId, clientSecret), at })
    writeAuditRow(tx, {
      firmId: clearingFirmId,
      at,
      actor: 'command line',
      action: 'create-operations-credential',
      target: clientId,
      traceId: '',
      detail: { clientId, scopes, forced: force },
    })
    return { kind: 'made', clientId, clientSecret }
  })
}
