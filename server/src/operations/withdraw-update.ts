/** withdraw-update: a firm withdraws a request of update-account that waits for operations. */
import { Rejected } from '../answers.ts'
import { withdrawUpdateOf } from '../changes/withdraw-update-of.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { readAccountHead } from '../store/accounts.ts'
import type { Handler } from './context.ts'

export const withdrawUpdate: Handler<'withdraw-update'> = async ({ accountNumber, changeId }, context) => {
  if ((await readAccountHead(context.tx, accountNumber)) === undefined) return accountNotFound(context.firm)
  const withdrawn = await withdrawUpdateOf(context, { accountNumber, changeId })
  if (withdrawn instanceof Rejected) return withdrawn
  const { change_id, state, decided_by, decided_at } = withdrawn
  if (decided_by === null || decided_at === null) throw new Error(`change ${change_id} has no decision`)
  const withdrawnOn = new Date(decided_at).toISOString()
  return { accountNumber, changeId: change_id, state, withdrawnBy: decided_by, withdrawnOn }
}
