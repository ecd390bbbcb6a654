/** list-corporate-actions: announced corporate actions with their terms, the latest pay date first. */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { renderAnnouncement } from '../books/announcements/render-announcement.ts'
import { readSymbols } from '../books/announcements/symbols-of-actions.ts'
import type { Tx } from '../database/transaction.ts'
import { cursorOf } from '../paging/cursor.ts'
import { day, words } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { readAmendmentsOf } from '../store/books/amendments.ts'
import { findAnnouncements } from '../store/books/announcements.ts'
import { findSecurities } from '../store/books/securities.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-corporate-actions', [day, words(limits.corporateActionIdLengthMax)])

export const listCorporateActions: Handler<'list-corporate-actions'> = async (request, { tx }) => {
  const { corporateActionId: externalId, state, symbol, size = limits.pageSizeDefault } = request
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const secNos = symbol === undefined ? undefined : await findNamed(tx, symbol.toUpperCase())
  const found = await findAnnouncements(tx, { externalId, secNos, state }, after, size + 1)
  const { rows, next } = pageOfRows(
    found,
    size,
    places,
    ({ payDate, externalId: id }) => [payDate, id] as const,
  )
  const symbolOf = await readSymbols(tx, rows)
  const amended = rows.flatMap(({ externalId: id, version }) => (version > 1 ? [id] : []))
  const amendments = Map.groupBy(await readAmendmentsOf(tx, amended), ({ amends }) => amends)
  const corporateActions = rows.map((row) =>
    renderAnnouncement(row, amendments.get(row.externalId) ?? [], symbolOf),
  )
  return { corporateActions, next }
}

/** The securities with the identifier. */
async function findNamed(tx: Tx, name: string): Promise<string[]> {
  const named = { cusip: [name], isin: [name], sedol: [name], symbol: [name], secNo: [] }
  return (await findSecurities(tx, named)).map(({ sec_no }) => String(sec_no))
}
