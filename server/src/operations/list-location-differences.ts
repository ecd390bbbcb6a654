/**
 * list-location-differences: securities whose positions at locations differ from the books of the open business day.
 */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { cursorOf } from '../paging/cursor.ts'
import { whole } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { readDifferences, readLocations } from '../store/books/location-positions.ts'
import { readBusinessDay } from '../store/business-day.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-location-differences', [whole(Number.MAX_SAFE_INTEGER)])

export const listLocationDifferences: Handler<'list-location-differences'> = async (request, { tx, now }) => {
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const { size = limits.pageSizeDefault } = request
  const businessDate = await readBusinessDay(tx, now)
  const locations = await readLocations(tx, businessDate)
  const isReported = locations.some(({ reported }) => reported)
  const found = isReported ? await readDifferences(tx, businessDate, after?.[0] ?? 0, size + 1) : []
  const { rows, next } = pageOfRows(found, size, places, (row) => [Number(row.sec_no)])
  return {
    businessDate,
    differences: rows.map((row) => ({
      secNo: String(row.sec_no),
      symbol: row.symbol ?? '',
      cusip: row.cusip ?? '',
      description: row.description,
      booked: row.booked,
      reported: row.reported,
      difference: row.difference,
      locations: [...(row.locations ?? [])],
    })),
    next,
  }
}
