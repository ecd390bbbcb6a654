/**
 * set-entitlements: changes margin and the option level of an open account, at once or after the approval of a second
 * person.
 */
import { Rejected } from '../answers.ts'
import { askForChange, changedFields, subjectsToApprove } from '../changes/ask-for-change.ts'
import { asFirm } from '../changes/firm-context.ts'
import { renderChange } from '../changes/render-change.ts'
import { judgeEntitlementChange, setNow } from '../changes/set-entitlements.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { readAccountHead } from '../store/accounts.ts'
import type { Handler } from './context.ts'

export const setEntitlements: Handler<'set-entitlements'> = async (request, context) => {
  const { accountNumber, reason } = request
  const head = await readAccountHead(context.tx, accountNumber)
  if (head === undefined) return accountNotFound(context.firm)
  const ofFirm = await asFirm(context, head.firm_id)
  const judged = await judgeEntitlementChange(request, ofFirm)
  if (!('account' in judged)) return new Rejected([...judged])
  const { account, changes } = judged
  const subjects = subjectsToApprove(ofFirm, ['Entitlements'])
  const change =
    subjects.length === 0
      ? undefined
      : askForChange(ofFirm, {
          operation: 'set-entitlements',
          accountNumber,
          subjects,
          request,
          fields: changedFields(changes),
          version: account.version,
          reason,
        })
  const { version, record } = change === undefined ? await setNow(judged, { reason }, ofFirm) : account
  return {
    accountNumber,
    version,
    marginIndicator: record.main.marginIndicator ?? 'false',
    optionTradingIndicator: record.main.optionTradingIndicator ?? 'false',
    optionTradingLevel: record.main.optionTradingLevel ?? '',
    change: change === undefined ? null : renderChange(change),
  }
}
