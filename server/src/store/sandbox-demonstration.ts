/** The state of the sandbox's demonstration accounts: not created, in progress, or done. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

const selectMark = statement<{ made: boolean }>(
  'select-demonstration',
  'select made_at is not null as made from clearing.sandbox_demonstration',
)
const selectActivity = statement<{ there: boolean }>(
  'select-demonstration-activity',
  'select exists (select from clearing.activity where account_number = $1) as there',
)
const insertMark = statement(
  'insert-demonstration',
  'insert into clearing.sandbox_demonstration (begun_at, made_at) values ($1, $2) on conflict do nothing',
)
const finishMark = statement(
  'finish-demonstration',
  'update clearing.sandbox_demonstration set made_at = $1 where made_at is null',
)

/**
 * Records the beginning. True if the accounts were created before. Earlier releases have no such record; the
 * activity of `accountNumber` shows that they created the accounts.
 */
export async function beginDemonstration(tx: Tx, accountNumber: string, at: Date): Promise<boolean> {
  const mark = await tx.row(selectMark)
  if (mark !== undefined) return mark.made
  const made = (await tx.row(selectActivity, [accountNumber]))?.there === true
  await tx.run(insertMark, [at, made ? at : null])
  return made
}

export function finishDemonstration(tx: Tx, at: Date): Promise<number> {
  return tx.run(finishMark, [at])
}
