/** list-action-entitlements: what positions are entitled to by corporate actions, with their elections and lines. */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { renderEntitlement } from '../books/announcements/render-announcement.ts'
import { readSymbols } from '../books/announcements/symbols-of-actions.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { cursorOf } from '../paging/cursor.ts'
import { accountNumber, whole, words } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { readAccountHead } from '../store/accounts.ts'
import { findEntitlements } from '../store/books/announced-entitlements.ts'
import { readAnnouncements } from '../store/books/announcements.ts'
import type { Handler } from './context.ts'

const acctTypeMax = 3
const places = cursorOf('list-action-entitlements', [
  words(limits.corporateActionIdLengthMax),
  accountNumber,
  whole(acctTypeMax, 1),
])

export const listActionEntitlements: Handler<'list-action-entitlements'> = async (request, context) => {
  const { tx, firm } = context
  const { corporateActionId: externalId, size = limits.pageSizeDefault } = request
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  if (request.accountNumber !== undefined && !(await readAccountHead(tx, request.accountNumber)))
    return accountNotFound(firm)
  const filter = { externalId, accountNumber: request.accountNumber }
  const found = await findEntitlements(tx, filter, after, size + 1)
  const { rows, next } = pageOfRows(found, size, places, (row) => [
    row.externalId,
    row.accountNumber,
    row.acctType,
  ])
  const announcements = await readAnnouncements(tx, [...new Set(rows.map((row) => row.externalId))])
  const symbolOf = await readSymbols(tx, announcements)
  const byId = new Map(announcements.map((announcement) => [announcement.externalId, announcement]))
  const entitlements = rows.flatMap((row) => {
    const announcement = byId.get(row.externalId)
    return announcement === undefined ? [] : [renderEntitlement(row, announcement, symbolOf)]
  })
  return { entitlements, next }
}
