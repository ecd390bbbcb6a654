/** list-breaks: what operations should look at in the books: facts that were taken as they are though they do not fit. */
import { limits } from '@clearing/protocol'
import { type Handler, Rejected } from '../context.ts'
import { cursorOf } from '../paging/cursor.ts'
import { accountNumber, time, uuid } from '../paging/cursor-fields.ts'
import { pageOfRows, readPlace } from '../paging/page.ts'
import { readOpenBreaks } from '../store/books/breaks.ts'

const places = cursorOf([accountNumber, time, uuid])

export const listBreaks: Handler<'list-breaks'> = async (request, { tx }) => {
  const after = readPlace(places, request)
  if (after instanceof Rejected) return after
  const size = request.size ?? limits.breaksPageSizeMax
  const found = await readOpenBreaks(tx, request.accountNumber ?? null, after, size + 1)
  const { rows, next } = pageOfRows(found, size, places, (row) => [
    row.account_number,
    row.raised_at,
    row.break_id,
  ])
  return {
    breaks: rows.map((row) => ({
      kind: row.kind,
      accountNumber: row.account_number,
      secNo: row.sec_no === null ? '' : String(row.sec_no),
      reason: row.reason,
      raisedOn: row.raised_at,
    })),
    next,
  }
}
