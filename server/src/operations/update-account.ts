/**
 * update-account: merges the given blocks into the record, or changes nothing. The replaced version is
 * stored. The changes of a request wait together if one of them needs a second person's approval or causes a
 * possible match on a watch list, or a finding that operations review. They are validated at once (Reading 3.9). The
 * message of the response has the remarks of account policy, and names values that the change took away.
 */
import { describeLostValues, renderShape2 } from '@clearing/domain'
import { reject, successMessage } from '@clearing/protocol'
import { Answered, Rejected } from '../answers.ts'
import { amendOrWait } from '../changes/amend-or-wait.ts'
import type { IsEnough } from '../changes/amend-record.ts'
import { reasonsOf } from '../changes/find-caused.ts'
import { whatFixes } from '../changes/why-fixed.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { rendering } from '../firm-rules/account-rendering.ts'
import { recordReadingOfWrite } from '../firm-rules/record-reading.ts'
import { refuseOutsideHours } from '../firm-rules/update-hours.ts'
import { answerFieldFollowUps, endsRequest, readAcceptedChanges } from '../onboarding/follow-ups.ts'
import { type Account, lockAccountRow } from '../store/accounts.ts'
import type { Context, Handler } from './context.ts'

export const updateAccount: Handler<'update-account'> = async (request, context) => {
  const { refused, tx, keys } = context
  const closed = context.parts.updateHours ? refuseOutsideHours(context.now) : undefined
  if (closed) return closed
  if (request.accountNumber === undefined) return new Rejected(refused.rejections)
  const account = await lockAccountRow(tx, request.accountNumber, keys)
  if (!account) return accountNotFound(context.firm)
  const accepted =
    account.status === 'Pending' ? await readAcceptedChanges(tx, account.accountNumber) : 'none'
  const fixed = accepted === 'none' ? await whatFixes(tx, account, 'accountNumber') : undefined
  if (fixed?.exceptContacts === false) return new Rejected([fixed.why])
  const isEnough = accepted === 'ending' ? { isEnough: onlyEnding(account, context) } : {}
  const outcome = await amendOrWait(
    { account, request, operation: 'update-account', fixed, ...isEnough },
    context,
  )
  if (outcome instanceof Rejected) return outcome
  if (outcome.kind === 'made') await answerFieldFollowUps(context, outcome.account, outcome.changes)
  // The response has the whole record.
  recordReadingOfWrite(context, account, 'update-account')
  const now = outcome.kind === 'made' ? outcome.account : account
  const data = renderShape2(now.record, rendering(now, context))
  if (outcome.kind === 'waits') return new Answered(data, { message: outcome.message })
  const lost = describeLostValues(outcome.changes)
  const noted = outcome.noted.length === 0 ? [] : [`Noted: ${reasonsOf(outcome.noted)}`]
  if (lost.length + noted.length === 0) return data
  return new Answered(data, { message: [successMessage, ...lost, ...noted].join(' ') })
}

/**
 * An application that waits for documents alone accepts the change that makes one of them unnecessary, such as that of
 * a wrong birth date (Reading 3.9, 4.5).
 */
function onlyEnding({ accountNumber }: Account, context: Context): IsEnough {
  return async (changes, amended) =>
    changes.length === 0 || (await endsRequest(context, accountNumber, amended))
      ? []
      : [reject('ERR.2011', 'accountNumber', stillNeeded)]
}

const stillNeeded =
  'The account is Pending, and its follow-ups ask for documents: only a change that makes one of them unnecessary is accepted.'
