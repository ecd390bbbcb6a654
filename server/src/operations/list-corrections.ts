/** list-corrections: closed days of an account that differ from their state at the close, newest first, in pages. */
import { addDays } from '@clearing/domain/market'
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { type CorrectedDay, compareClosedDay, findClosedDay } from '../books/positions/corrected-days.ts'
import { renderAmounts } from '../books/positions/render-amounts.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { checkDayRanges } from '../paging/check-day-ranges.ts'
import { cursorOf } from '../paging/cursor.ts'
import { day } from '../paging/cursor-fields.ts'
import { readPosition } from '../paging/page.ts'
import { type LateLine, readOpenedAt } from '../store/books/corrections.ts'
import { marketDayOf } from '../store/business-day.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-corrections', [day])

export const listCorrections: Handler<'list-corrections'> = async (request, { firm, tx, now }) => {
  const { accountNumber, dateFrom = '0001-01-01', dateTo = marketDayOf(now), size } = request
  const wrong = checkDayRanges({ dateFrom, dateTo }, [['dateFrom', 'dateTo']])
  if (wrong.length > 0) return new Rejected(wrong)
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const openedAt = await readOpenedAt(tx, accountNumber)
  if (openedAt === undefined) return accountNotFound(firm)
  if (openedAt === null) return { days: [], next: '' }
  const since = { from: dateFrom, openedAt }
  const start = after !== undefined && after[0] <= dateTo ? addDays(after[0], -1) : dateTo
  const days: CorrectedDay[] = []
  let known = await findClosedDay(tx, accountNumber, start, since)
  let last = ''
  for (let compared = 0; known !== undefined && compared < (size ?? limits.pageSizeDefault); compared += 1) {
    const corrected = await compareClosedDay(tx, accountNumber, known, now)
    if (corrected !== undefined) days.push(corrected)
    last = known.on
    known = await findClosedDay(tx, accountNumber, addDays(last, -1), since)
  }
  return {
    days: days.map(renderDay),
    next: known === undefined ? '' : places.write([last]),
  }
}

function renderDay({ date, lines, atClose, now }: CorrectedDay) {
  return {
    date,
    lines: lines.map(renderLine),
    cash: renderChange(atClose.totalCash, now.totalCash),
    value: renderChange(atClose.totalAccountValue, now.totalAccountValue),
  }
}

function renderChange(atClose: bigint, now: bigint) {
  return renderAmounts<{ atClose: number; now: number; change: number }>({
    atClose,
    now,
    change: now - atClose,
  })
}

function renderLine(line: LateLine) {
  return {
    externalId: line.external_id,
    kind: line.correction === null ? 'Late' : line.correction === 'C' ? 'Cancel' : 'Rebill',
    tagNo: line.tag_no ?? '',
    transType: line.trans_type,
    buySell: line.buy_sell ?? '',
    secNo: line.sec_no === null ? '' : String(line.sec_no),
    tradeDate: line.trade_date,
    enteredOn: line.entered_on,
  }
}
