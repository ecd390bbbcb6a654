/**
 * Prevents a production service from starting on a database with secrets, a clock or people of a sandbox. One message
 * names them all, with the statements that disable them: no process can do it, because none starts.
 */
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { findSandboxSecrets } from '../identity/sandbox-firms.ts'
import { findSandboxStaff } from '../identity/staff/sandbox-staff.ts'
import { isSandboxClockMoved } from '../store/sandbox-clock.ts'
import { renderDisabling } from '../store/use-of-database.ts'

export async function assertNoSandbox(operations: Pool, now: Date): Promise<void> {
  const secrets = await findSandboxSecrets(operations, now)
  const people = await findSandboxStaff(operations)
  const moved = await inTransaction(operations, { firm: null, readOnly: true }, isSandboxClockMoved)
  if (secrets.length === 0 && people.length === 0 && !moved) return
  const clients = [...new Set(secrets.map(({ clientId }) => clientId))]
  const found = [
    ...(clients.length > 0
      ? [`these clients have a secret of the sandbox that is public: ${clients.join(', ')}`]
      : []),
    ...(people.length > 0 ? [`these people belong to the sandbox: ${people.join(', ')}`] : []),
    ...(moved ? ['the clock of the sandbox was moved'] : []),
  ]
  throw new Error(
    `Production does not start on a database that a sandbox has used: ${found.join('; ')}. ${remedyOf(secrets, people, moved)}`,
  )
}

function remedyOf(
  secrets: readonly { readonly secretId: string }[],
  people: readonly string[],
  moved: boolean,
): string {
  const other = 'Use another database'
  // Days were closed and work was done at the times of that clock.
  if (moved) return `${other}.`
  const statements = renderDisabling({ secretIds: secrets.map(({ secretId }) => secretId), emails: people })
  return `${other}, or, if this is the database of production, run as its owner: ${statements} See "A sandbox on the database of production" in docs/operating.md.`
}
