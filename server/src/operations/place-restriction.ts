/**
 * place-restriction: suspends the activities that the restriction's code names, at once or after the approval of a
 * second person.
 */

import type { Data } from '@clearing/protocol'
import { Answered, Rejected } from '../answers.ts'
import { askForChange, subjectsToApprove } from '../changes/ask-for-change.ts'
import { asFirm } from '../changes/firm-context.ts'
import { renderChange } from '../changes/render-change.ts'
import { checkPlacing, renderOne } from '../changes/restrict.ts'
import { checkGround, placeRequested, readEarlierHolds } from '../changes/temporary-hold.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { readAccountHead } from '../store/accounts.ts'
import type { Handler } from './context.ts'

export const placeRestriction: Handler<'place-restriction'> = async (request, context) => {
  const { accountNumber, restrictionCode, reason, holdGround } = request
  const head = await readAccountHead(context.tx, accountNumber)
  if (head === undefined) return accountNotFound(context.firm)
  const ofFirm = await asFirm(context, head.firm_id)
  const earlier = await readEarlierHolds(context.tx, request)
  const subjects = subjectsToApprove(ofFirm, ['Restrictions'])
  if (subjects.length === 0) {
    const placed = await placeRequested(request, ofFirm)
    if ('code' in placed) return new Rejected([placed])
    const restriction = await renderOne(context.tx, placed.restriction)
    return withEarlier(
      { accountNumber, accountStatus: placed.accountStatus, restriction, change: null },
      earlier,
    )
  }
  const status = await checkPlacing(ofFirm, request)
  if (typeof status !== 'string') return new Rejected([status])
  const hold = await checkGround(ofFirm, request)
  if (hold !== undefined && 'code' in hold) return new Rejected([hold])
  const change = askForChange(ofFirm, {
    operation: 'place-restriction',
    accountNumber,
    subjects,
    request: { accountNumber, restrictionCode, reason, ...(holdGround && { holdGround }) },
    fields: [
      { field: 'restriction', before: '', after: restrictionCode },
      { field: 'accountStatus', before: status, after: 'Restricted' },
      ...(hold === undefined ? [] : [{ field: 'holdGround', before: '', after: hold.ground }]),
      ...earlier.map((period) => ({ field: 'earlierHold', before: '', after: period })),
    ],
    reason,
  })
  const data = { accountNumber, accountStatus: status, restriction: null, change: renderChange(change) }
  return withEarlier(data, earlier)
}

/** The message of the response states the holds that the account had before. */
function withEarlier(data: Data<'place-restriction'>, earlier: readonly string[]) {
  if (earlier.length === 0) return data
  const message = `The account had a temporary hold before (${earlier.join(', ')}). FINRA Rule 2165(b)(2) counts from the day on which a hold was first placed.`
  return new Answered(data, { message })
}
