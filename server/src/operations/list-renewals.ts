/** list-renewals: renewals of open accounts, the earliest due date first. */
import { limits, renewalKinds } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { readFirmFilter } from '../identity/firm-request.ts'
import { checkDayRanges } from '../paging/check-day-ranges.ts'
import { cursorOf } from '../paging/cursor.ts'
import { accountNumber, day, oneOf, words } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { findRenewals, type ListedRenewal } from '../store/renewals.ts'
import type { Handler } from './context.ts'

export const renewalPositions = cursorOf('list-renewals', [
  day,
  accountNumber,
  oneOf(...renewalKinds.map(({ value }) => value)),
  words(limits.customerIdDigits),
])
/** Renewals are selected by the days on which they fall due. */
export const rangeOfRenewals = [['fallsFrom', 'fallsTo']] as const
export function placeOfRenewal(row: ListedRenewal) {
  return [row.listed_on, row.account_number, row.kind, row.subject] as const
}

export const listRenewals: Handler<'list-renewals'> = async (request, { tx }) => {
  const rejections = checkDayRanges(request, rangeOfRenewals)
  if (rejections.length > 0) return new Rejected(rejections)
  const after = readPosition(renewalPositions, request)
  if (after instanceof Rejected) return after
  const firmId = readFirmFilter(request.firmId)
  if (firmId instanceof Rejected) return firmId
  const { kind, state, fallsFrom: from, fallsTo: to, size = limits.pageSizeDefault } = request
  const filter = { accountNumber: request.accountNumber, firmId, kind, state, from, to }
  const found = await findRenewals(tx, filter, after, size + 1)
  const { rows, next } = pageOfRows(found, size, renewalPositions, placeOfRenewal)
  return { renewals: rows.map(renderRenewal), next }
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
