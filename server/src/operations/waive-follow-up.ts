/**
 * waive-follow-up: withdraws a request to the firm. After the last one, an application continues with the check that
 * asked; of an open account, the review ends the restriction that was placed for the request. Such a waiver waits for
 * a second person where the end of a restriction does.
 */
import { Answered, Rejected } from '../answers.ts'
import { askForChange, subjectsToApprove } from '../changes/ask-for-change.ts'
import { asFirm } from '../changes/firm-context.ts'
import { checkWaiving, keepWaiver, readRestrictionFor } from '../changes/waive.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { renderOnboarding } from '../onboarding/render-onboarding.ts'
import { readAccountHead } from '../store/accounts.ts'
import { readOnboarding } from '../store/onboarding.ts'
import type { Handler } from './context.ts'

export const waiveFollowUp: Handler<'waive-follow-up'> = async (sent, context) => {
  const { tx } = context
  const { accountNumber, reason } = sent
  const followUpId = sent.followUpId.toUpperCase()
  const request = { accountNumber, followUpId, reason }
  const head = await readAccountHead(tx, accountNumber)
  if (head === undefined) return accountNotFound(context.firm)
  const ofFirm = await asFirm(context, head.firm_id)
  const waiver = await checkWaiving(ofFirm, request)
  if (!('store' in waiver)) return new Rejected([waiver])
  const subjects = subjectsToApprove(ofFirm, ['Restrictions'])
  const restriction = subjects.length === 0 ? undefined : await readRestrictionFor(tx, request)
  if (restriction !== undefined) {
    const change = askForChange(ofFirm, {
      operation: 'waive-follow-up',
      accountNumber,
      subjects,
      request,
      fields: [
        { field: `follow-up ${followUpId}`, before: waiver.code, after: 'Waived' },
        { field: 'restriction', before: restriction.code, after: '' },
      ],
      reason,
    })
    const message = `The follow-up still waits: change ${change.change_id} awaits a second person's approval, because the waiver would end a restriction.`
    return new Answered(await resultOf(), { message })
  }
  keepWaiver(request, ofFirm, waiver)
  return resultOf()

  async function resultOf() {
    const onboarding = await readOnboarding(tx, accountNumber)
    if (!onboarding) throw new Error(`the onboarding of ${accountNumber} is gone`)
    return renderOnboarding(context, onboarding)
  }
}
