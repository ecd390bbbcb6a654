/** Prevents a sandbox from starting on a database that production has used: its secrets are public. */
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { isUsedByProduction } from '../store/use-of-database.ts'

/** `notesStores`: false for a schema in which production noted no document store yet. */
export async function assertNoProduction(operations: Pool, notesStores = true): Promise<void> {
  const isUsed = await inTransaction(operations, { firm: null, readOnly: true }, (tx) =>
    isUsedByProduction(tx, notesStores),
  )
  if (!isUsed) return
  throw new Error(
    'DATABASE_URL is a database of production, and CLEARING_MODE is sandbox: a sandbox would add firms, secrets and people that are public. Set CLEARING_MODE=production, or use another database for the sandbox.',
  )
}
