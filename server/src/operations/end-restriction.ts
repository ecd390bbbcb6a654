/** end-restriction: ends a restriction, at once or after the approval of a second person. */

import { Rejected } from '../answers.ts'
import { askForChange, subjectsToApprove } from '../changes/ask-for-change.ts'
import { asFirm } from '../changes/firm-context.ts'
import { renderChange } from '../changes/render-change.ts'
import { checkEnding, endNow, renderOne } from '../changes/restrict.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { readAccountHead } from '../store/accounts.ts'
import type { Handler } from './context.ts'

export const endRestriction: Handler<'end-restriction'> = async (request, context) => {
  const { accountNumber, restrictionId, reason } = request
  const head = await readAccountHead(context.tx, accountNumber)
  if (head === undefined) return accountNotFound(context.firm)
  const ofFirm = await asFirm(context, head.firm_id)
  const subjects = subjectsToApprove(ofFirm, ['Restrictions'])
  if (subjects.length === 0) {
    const ended = await endNow(request, ofFirm)
    if ('code' in ended) return new Rejected([ended])
    const restriction = await renderOne(context.tx, ended.restriction)
    return { accountNumber, accountStatus: ended.accountStatus, restriction, change: null }
  }
  const found = await checkEnding(ofFirm, request)
  if (!('restriction_id' in found)) return new Rejected([found])
  const change = askForChange(ofFirm, {
    operation: 'end-restriction',
    accountNumber,
    subjects,
    request: { accountNumber, restrictionId, reason },
    fields: [{ field: 'restriction', before: found.code, after: '' }],
    reason,
  })
  const restriction = await renderOne(context.tx, found)
  return { accountNumber, accountStatus: head.status, restriction, change: renderChange(change) }
}
