/** list-corporate-actions: announced corporate actions with their terms, the latest pay date first. */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { renderAnnouncement } from '../books/announcements/render-announcement.ts'
import { cursorOf } from '../paging/cursor.ts'
import { day, words } from '../paging/cursor-fields.ts'
import { pageOfRows, readPlace } from '../paging/page.ts'
import { findAnnouncements } from '../store/books/announcements.ts'
import { findSecurities } from '../store/books/securities.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-corporate-actions', [day, words(limits.corporateActionIdLengthMax)])
const noIdentifiers = { cusip: [], isin: [], sedol: [], symbol: [], secNo: [] }

export const listCorporateActions: Handler<'list-corporate-actions'> = async (request, { tx }) => {
  const { corporateActionId: externalId, state, size = limits.pageSizeDefault } = request
  const after = readPlace(places, request)
  if (after instanceof Rejected) return after
  const symbol = request.symbol?.toUpperCase()
  const named = symbol === undefined ? [] : await findSecurities(tx, { ...noIdentifiers, symbol: [symbol] })
  const secNos = symbol === undefined ? undefined : named.map(({ sec_no }) => String(sec_no))
  const found = await findAnnouncements(tx, { externalId, secNos, state }, after, size + 1)
  const { rows, next } = pageOfRows(
    found,
    size,
    places,
    ({ payDate, externalId: id }) => [payDate, id] as const,
  )
  const securities = await findSecurities(tx, {
    ...noIdentifiers,
    secNo: [...new Set(rows.map(({ security }) => security))],
  })
  const bySecNo = new Map(securities.map((security) => [String(security.sec_no), security]))
  return {
    corporateActions: rows.map((row) => renderAnnouncement(row, bySecNo.get(row.security))),
    next,
  }
}
