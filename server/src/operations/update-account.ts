/**
 * update-account: merges the given blocks into the record, or changes nothing. The replaced version is
 * stored. The changes of a request wait together if one of them needs a second person's approval or causes a
 * possible match on a watch list, or a finding that operations review. They are validated at once (Reading 3.9). A
 * remark of account policy is in the message of the response.
 */
import { renderShape2 } from '@clearing/domain'
import { successMessage } from '@clearing/protocol'
import { Answered, Rejected } from '../answers.ts'
import { amendOrWait } from '../changes/amend-or-wait.ts'
import { reasonsOf } from '../changes/find-caused.ts'
import { whyFixed } from '../changes/why-fixed.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { rendering } from '../firm-rules/account-rendering.ts'
import { recordReadingOfWrite } from '../firm-rules/record-reading.ts'
import { refuseOutsideHours } from '../firm-rules/update-hours.ts'
import { answerFieldFollowUps, hasOpenFieldFollowUp } from '../onboarding/follow-ups.ts'
import { type Account, lockAccountRow } from '../store/accounts.ts'
import type { Context, Handler } from './context.ts'

export const updateAccount: Handler<'update-account'> = async (request, context) => {
  const { refused, tx, keys } = context
  const closed = context.parts.updateHours ? refuseOutsideHours(context.now) : undefined
  if (closed) return closed
  if (request.accountNumber === undefined) return new Rejected(refused.rejections)
  const account = await lockAccountRow(tx, request.accountNumber, keys)
  if (!account) return accountNotFound(context.firm)
  const fixed = (await awaitsField(account, context))
    ? undefined
    : await whyFixed(tx, account, 'accountNumber')
  if (fixed !== undefined) return new Rejected([fixed])
  const outcome = await amendOrWait({ account, request, operation: 'update-account' }, context)
  if (outcome instanceof Rejected) return outcome
  if (outcome.kind === 'made') await answerFieldFollowUps(context, outcome.account, outcome.changes)
  // The response has the whole record.
  recordReadingOfWrite(context, account, 'update-account')
  const now = outcome.kind === 'made' ? outcome.account : account
  const data = renderShape2(now.record, rendering(now, context))
  if (outcome.kind === 'waits') return new Answered(data, { message: outcome.message })
  if (outcome.noted.length === 0) return data
  return new Answered(data, { message: `${successMessage} Noted: ${reasonsOf(outcome.noted)}` })
}

/** An application that waits for a field from the firm can be changed as an Open account can (Reading 3.9, 4.5). */
async function awaitsField(account: Account, context: Context): Promise<boolean> {
  return account.status === 'Pending' && (await hasOpenFieldFollowUp(context.tx, account.accountNumber))
}
