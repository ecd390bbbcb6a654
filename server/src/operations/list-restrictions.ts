/** list-restrictions: restrictions of one account or of all accounts by filter, the newest first. */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { renderRestrictions } from '../changes/restrict.ts'
import { readFirmFilter } from '../identity/firm-request.ts'
import { checkDayRanges } from '../paging/check-day-ranges.ts'
import { cursorOf } from '../paging/cursor.ts'
import { time, uuid } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { findRestrictions } from '../store/restrictions.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-restrictions', [time, uuid])

export const listRestrictions: Handler<'list-restrictions'> = async (request, { tx }) => {
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const firmId = readFirmFilter(request.firmId)
  if (firmId instanceof Rejected) return firmId
  const wrong = checkDayRanges(request, [
    ['placedFrom', 'placedTo'],
    ['endedFrom', 'endedTo'],
  ])
  if (wrong.length > 0) return new Rejected(wrong)
  const { accountNumber, restrictionCode, inForce, inForceOn, size = limits.pageSizeDefault } = request
  const { placedFrom, placedTo, endedFrom, endedTo } = request
  const filter = {
    accountNumber,
    firmId,
    restrictionCode,
    inForce,
    inForceOn,
    placedFrom,
    placedTo,
    endedFrom,
    endedTo,
  }
  const found = await findRestrictions(tx, filter, after, size + 1)
  const { rows, next } = pageOfRows(found, size, places, (row) => [row.placed_at, row.restriction_id])
  return { restrictions: await renderRestrictions(tx, rows), next }
}
