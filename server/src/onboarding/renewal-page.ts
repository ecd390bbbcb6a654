/** A page of the renewals of accounts, in the order of the days on which they fall due. */
import { limits, type Request, renewalKinds } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { Tx } from '../database/transaction.ts'
import { readFirmFilter } from '../identity/firm-request.ts'
import { cursorOf } from '../paging/cursor.ts'
import { accountNumber, day, oneOf, words } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { findRenewals, type ListedRenewal } from '../store/renewals.ts'

const places = cursorOf('list-renewals', [
  day,
  accountNumber,
  oneOf(...renewalKinds.map(({ value }) => value)),
  words(limits.customerIdDigits),
])
function placeOf(row: ListedRenewal) {
  return [row.listed_on, row.account_number, row.kind, row.subject] as const
}

/** Renewals are selected by the days on which they fall due. */
export const rangeOfRenewals = [['fallsFrom', 'fallsTo']] as const

export async function readRenewalPage(
  tx: Tx,
  request: Request<'list-renewals'>,
): Promise<{ readonly rows: readonly ListedRenewal[]; readonly next: string } | Rejected> {
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const firmId = readFirmFilter(request.firmId)
  if (firmId instanceof Rejected) return firmId
  const { kind, state, fallsFrom: from, fallsTo: to, size = limits.pageSizeDefault } = request
  const filter = { accountNumber: request.accountNumber, firmId, kind, state, from, to }
  return pageOfRows(await findRenewals(tx, filter, after, size + 1), size, places, placeOf)
}
