/**
 * record-hold-step: records a step of a temporary hold. A step that sets another end of the hold waits for a second
 * person where restrictions do.
 */
import type { HoldStep } from '@clearing/domain'
import { Rejected } from '../answers.ts'
import { askForChange, subjectsToApprove } from '../changes/ask-for-change.ts'
import { asFirm } from '../changes/firm-context.ts'
import { checkStep, recordStep } from '../changes/hold-step.ts'
import { renderChange } from '../changes/render-change.ts'
import { renderOne } from '../changes/restrict.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { parseUuid } from '../ids.ts'
import { readAccountHead } from '../store/accounts.ts'
import { readRestriction } from '../store/restrictions.ts'
import type { Handler } from './context.ts'

export const recordHoldStep: Handler<'record-hold-step'> = async (request, context) => {
  const { tx } = context
  const { accountNumber, until, reason } = request
  const step = request.step as HoldStep
  const head = await readAccountHead(tx, accountNumber)
  if (head === undefined) return accountNotFound(context.firm)
  const ofFirm = await asFirm(context, head.firm_id)
  const restrictionId = parseUuid(request.restrictionId) ?? noRestriction
  const asked = { accountNumber, restrictionId, step, reason, ...(until && { until }) }
  const subjects = step === 'Notified' ? [] : subjectsToApprove(ofFirm, ['Restrictions'])
  if (subjects.length === 0) {
    const recorded = await recordStep(asked, ofFirm)
    if ('code' in recorded) return new Rejected([recorded])
    const restriction = await renderOne(tx, recorded.restriction)
    return { accountNumber, accountStatus: recorded.accountStatus, restriction, change: null }
  }
  const checked = await checkStep(ofFirm, asked)
  if ('code' in checked) return new Rejected([checked])
  const change = askForChange(ofFirm, {
    operation: 'record-hold-step',
    accountNumber,
    subjects,
    request: asked,
    fields: [
      { field: 'holdStep', before: '', after: step },
      { field: 'hold.expiresOn', before: checked.hold.expires_on, after: checked.expiresOn },
    ],
    reason,
  })
  const row = (await readRestriction(tx, accountNumber, restrictionId)) ?? null
  const restriction = await renderOne(tx, row)
  return { accountNumber, accountStatus: checked.accountStatus, restriction, change: renderChange(change) }
}

/** Of a text that is no id: no restriction has it. */
const noRestriction = '00000000-0000-0000-0000-000000000000'
