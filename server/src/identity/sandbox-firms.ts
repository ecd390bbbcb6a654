/**
 * The firms and fixed secrets of a new sandbox. The documentation prints the secrets, so a production service does not
 * start while one of them would be accepted.
 */
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { insertCredential, insertSecret, readCredentials } from '../store/credentials.ts'
import { addEntityNumbers, addRepCodes, clearingFirmId } from '../store/firms.ts'
import { type Cells, claimsOfFirm } from './cells/open-cells.ts'
import { hashClientSecret, matchesClientSecret } from './endpoint/client-secret.ts'
import { ensureFirm } from './ensure-firm.ts'
import { defaultScopes } from './grantable-scopes.ts'

interface SandboxFirm {
  readonly firmId: string
  readonly name: string
  readonly entityNumbers: readonly string[]
  readonly repCodes: readonly string[]
  readonly clientId: string
  readonly secretId: string
  readonly secret: string
}

export const sandboxFirms = [
  {
    firmId: '00000000-0000-4000-8000-000000000301',
    name: 'Alpha Securities',
    entityNumbers: ['301'],
    repCodes: ['JC01', 'JC02'],
    clientId: 'alpha',
    secretId: '00000000-0000-4000-8000-000000010301',
    secret: 'alpha-sandbox-secret',
  },
  {
    firmId: '00000000-0000-4000-8000-000000000302',
    name: 'Beta Brokerage',
    entityNumbers: ['302'],
    repCodes: ['BB01'],
    clientId: 'beta',
    secretId: '00000000-0000-4000-8000-000000010302',
    secret: 'beta-sandbox-secret',
  },
  {
    firmId: clearingFirmId,
    name: 'Clearing operations',
    entityNumbers: [],
    repCodes: [],
    clientId: 'operations',
    secretId: '00000000-0000-4000-8000-000000010001',
    secret: 'operations-sandbox-secret',
  },
] as const satisfies readonly SandboxFirm[]

/** Makes the missing firms, credentials and fixed secrets of the sandbox. A user's later changes stay. */
export async function seedSandboxFirms(settings: {
  operations: Pool
  masterKeys: MasterKeys
  now: Date
  /** The directory of cells. Firms that another cell has are left out. */
  cells?: Cells | undefined
}): Promise<void> {
  const firms: SandboxFirm[] = []
  for (const firm of sandboxFirms) if (await isOfThisCell(firm, settings.cells)) firms.push(firm)
  return inTransaction(settings.operations, { firm: null }, async (tx) => {
    const { masterKeys, now: at } = settings
    for (const firm of firms) {
      const { firmId, clientId, secretId } = firm
      await ensureFirm(tx, masterKeys, firm, at)
      await addEntityNumbers(tx, firmId, firm.entityNumbers, at)
      await addRepCodes(tx, firmId, firm.repCodes, at)
      const name = `Sandbox, ${firm.name}`
      await insertCredential(tx, { clientId, firmId, name, scopes: defaultScopes(firmId), at })
      await insertSecret(tx, { secretId, clientId, hash: hashClientSecret(secretId, firm.secret), at })
    }
  })
}

async function isOfThisCell(firm: SandboxFirm, cells: Cells | undefined): Promise<boolean> {
  if (cells === undefined || firm.firmId === clearingFirmId) return true
  return (await cells.claim(claimsOfFirm(firm))).length === 0
}

/** The secrets of clients that are fixed secrets of the sandbox, and would be accepted. */
export async function findSandboxSecrets(
  operations: Pool,
  now: Date,
): Promise<{ readonly clientId: string; readonly secretId: string }[]> {
  const credentials = await inTransaction(operations, { firm: null, readOnly: true }, (tx) =>
    readCredentials(tx, now),
  )
  return credentials.flatMap(({ clientId, secrets }) =>
    secrets
      .filter((kept) => sandboxFirms.some(({ secret }) => matchesClientSecret(secret, [kept], now)))
      .map(({ secretId }) => ({ clientId, secretId })),
  )
}
