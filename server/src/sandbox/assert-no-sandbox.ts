/** Prevents a production service from starting on a database with secrets, a clock or people of a sandbox. */
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { assertNoSandboxCredentials } from '../identity/sandbox-firms.ts'
import { assertNoSandboxStaff } from '../identity/staff/sandbox-staff.ts'
import { assertNoSandboxClock } from '../store/sandbox-clock.ts'

export async function assertNoSandbox(operations: Pool, now: Date): Promise<void> {
  await assertNoSandboxCredentials(operations, now)
  await inTransaction(operations, { firm: null, readOnly: true }, assertNoSandboxClock)
  await assertNoSandboxStaff(operations)
}
