/** list-pending-lines: lines of activity that wait for their trade date, in the order of their dates, in pages. */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { valuesOfPending } from '../books/loads/set-aside.ts'
import { answerOfAccount } from '../firm-rules/account-not-found.ts'
import { cursorOf } from '../paging/cursor.ts'
import { accountNumber, day, words } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { readPendingPage } from '../store/books/pending.ts'
import type { Handler } from './context.ts'

const idLengthMax = 100
const places = cursorOf('list-pending-lines', [day, accountNumber, words(idLengthMax)])

export const listPendingLines: Handler<'list-pending-lines'> = async (request, context) => {
  const { tx } = context
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const size = request.size ?? limits.pendingLinesPageSizeMax
  const found = await readPendingPage(tx, request.accountNumber, { after, most: size + 1 })
  const { rows, next } = pageOfRows(found, size, places, (line) => [
    line.tradeDate,
    line.accountNumber,
    line.externalId,
  ])
  const page = { lines: rows.map(renderLine), next }
  return answerOfAccount(page, rows.length === 0, request.accountNumber, context)
}

function renderLine(line: Awaited<ReturnType<typeof readPendingPage>>[number]) {
  const values = valuesOfPending(line.content)
  return {
    externalId: line.externalId,
    accountNumber: line.accountNumber,
    tradeDate: values.tradeDate ?? line.tradeDate,
    countsFrom: line.tradeDate,
    kind: values.cancelType !== undefined ? 'Cancel' : values.rebill === true ? 'Rebill' : 'Line',
    tagNo: values.tagNo ?? '',
    transType: values.transType ?? '',
    acctType: values.acctType ?? '',
    buySell: values.buySell ?? '',
    cusip: values.cusip ?? '',
    symbol: values.symbol ?? '',
    isin: values.isin ?? '',
    sedol: values.sedol ?? '',
    secNo: values.secNo === undefined ? '' : String(values.secNo),
    quantity: values.quantity?.text ?? '',
    price: values.price?.text ?? '',
    netAmount: values.netAmount?.text ?? '',
    currency: values.currency ?? '',
    settleDate: values.settleDate ?? '',
    loadId: line.loadId,
  }
}
