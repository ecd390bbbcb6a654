/** list-breaks: facts that the books accepted although they contradict other facts, for operations to examine. */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { exactNumber } from '../books/positions/render-amounts.ts'
import { accountNumber, time, uuid } from '../paging/cursor-fields.ts'
import { type Order, positionsOf, readOrder } from '../paging/order.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { type BreakOrder, countOpenBreaks, findOpenBreaks } from '../store/books/breaks.ts'
import type { Handler } from './context.ts'

const byAccount: Order<BreakOrder> = { sortBy: 'accountNumber', descending: false }
const fields = { accountNumber: [accountNumber, time, uuid], raisedDate: [time, uuid] } as const

export const listBreaks: Handler<'list-breaks'> = async (request, { tx }) => {
  const order = readOrder(request, byAccount)
  const places = positionsOf('list-breaks', order, byAccount, fields[order.sortBy])
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const size = request.size ?? limits.breaksPageSizeMax
  const filter = { accountNumber: request.accountNumber, kind: request.kind }
  const found = await findOpenBreaks(tx, filter, { ...order, after, most: size + 1 })
  const { rows, next } = pageOfRows(found, size, places, (row) => [
    ...(order.sortBy === 'accountNumber' ? [row.account_number] : []),
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
      breakId: row.break_id,
      symbol: row.symbol ?? '',
      acctType: row.acct_type === null ? '' : String(row.acct_type),
      quantity: row.quantity === null ? null : exactNumber(row.quantity),
      externalId: row.external_id,
      tradeDate: row.trade_date,
    })),
    total: request.counted && after === undefined ? await countOpenBreaks(tx, filter) : null,
    next,
  }
}
