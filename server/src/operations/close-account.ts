/** close-account: closes an account without holdings, at once or after the approval of a second person. */

import { Rejected } from '../answers.ts'
import { askForChange, subjectsToApprove } from '../changes/ask-for-change.ts'
import { checkClosing, closeNow } from '../changes/close-account.ts'
import { asFirm } from '../changes/firm-context.ts'
import { renderChange } from '../changes/render-change.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { readAccountHead } from '../store/accounts.ts'
import type { Handler } from './context.ts'

export const closeAccount: Handler<'close-account'> = async (request, context) => {
  const { accountNumber, reason } = request
  const head = await readAccountHead(context.tx, accountNumber)
  if (head === undefined) return accountNotFound(context.firm)
  const ofFirm = await asFirm(context, head.firm_id)
  // The closing ends the restrictions of the account.
  const about = head.status === 'Restricted' ? (['Closing', 'Restrictions'] as const) : (['Closing'] as const)
  const subjects = subjectsToApprove(ofFirm, about)
  if (subjects.length === 0) {
    const closed = await closeNow(request, ofFirm)
    if ('code' in closed) return new Rejected([closed])
    return { accountNumber, accountStatus: closed.accountStatus, change: null }
  }
  const refused = await checkClosing(ofFirm, request)
  if (refused !== undefined) return new Rejected([refused])
  const change = askForChange(ofFirm, {
    operation: 'close-account',
    accountNumber,
    subjects,
    request: { accountNumber, reason },
    fields: [{ field: 'accountStatus', before: head.status, after: 'Closed' }],
    reason,
  })
  return { accountNumber, accountStatus: head.status, change: renderChange(change) }
}
