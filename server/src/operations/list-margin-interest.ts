/** list-margin-interest: what closes accrued on the debit of a margin account, the newest close first, in pages. */
import { type Data, limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { divideNights } from '../books/margin/interest-of-nights.ts'
import { renderAmounts } from '../books/positions/render-amounts.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { checkDayRanges } from '../paging/check-day-ranges.ts'
import { cursorOf } from '../paging/cursor.ts'
import { day } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { readOpenedAt } from '../store/books/corrections.ts'
import { type MarginInterest, readMarginInterestPage } from '../store/margin-interest.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-margin-interest', [day, day])
const [firstDay, lastDay] = ['0001-01-01', '9999-12-31']

export const listMarginInterest: Handler<'list-margin-interest'> = async (request, { firm, tx }) => {
  const { accountNumber, dateFrom = firstDay, dateTo = lastDay, size = limits.pageSizeDefault } = request
  const wrong = checkDayRanges({ dateFrom, dateTo }, [['dateFrom', 'dateTo']])
  if (wrong.length > 0) return new Rejected(wrong)
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  if ((await readOpenedAt(tx, accountNumber)) === undefined) return accountNotFound(firm)
  const found = await readMarginInterestPage(
    tx,
    accountNumber,
    { from: dateFrom, to: dateTo },
    { before: after ?? [lastDay, lastDay], most: size + 1 },
  )
  const { rows, next } = pageOfRows(found, size, places, ({ closeDate, ofDate }) => [closeDate, ofDate])
  return { interest: rows.map(renderInterest), next }
}

function renderInterest(one: MarginInterest): Data<'list-margin-interest'>['interest'][number] {
  const { closeDate, ofDate, debit, debitBefore, interest } = one
  return renderAmounts({
    closeDate,
    ofDate,
    debit,
    debitBefore: debitBefore ?? null,
    interest,
    nights: divideNights(one),
  })
}
