/** list-renewals: renewals of open accounts, the earliest due date first. */
import { Rejected } from '../answers.ts'
import { rangeOfRenewals, readRenewalPage } from '../onboarding/renewal-page.ts'
import { checkDayRanges } from '../paging/check-day-ranges.ts'
import type { ListedRenewal } from '../store/renewals.ts'
import type { Handler } from './context.ts'

export const listRenewals: Handler<'list-renewals'> = async (request, { tx }) => {
  const rejections = checkDayRanges(request, rangeOfRenewals)
  if (rejections.length > 0) return new Rejected(rejections)
  const page = await readRenewalPage(tx, request)
  return page instanceof Rejected ? page : { renewals: page.rows.map(renderRenewal), next: page.next }
}

function renderRenewal(row: ListedRenewal) {
  return {
    accountNumber: row.account_number,
    accountName: row.account_name,
    accountStatus: row.account_status,
    firmId: row.firm_id,
    firmName: row.firm_name,
    kind: row.kind,
    customerId: row.subject,
    field: row.field,
    fallsOn: row.listed_on,
    state: row.state,
    followUpId: row.follow_up_id,
    dueOn: row.due_on,
    restrictionId: row.restriction_id ?? '',
  }
}
