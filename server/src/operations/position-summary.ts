/**
 * position-summary: the positions of the books with their values. A position without a price has the value 0,
 * and the message names such positions.
 */
import type { Data } from '@clearing/protocol'
import { Answered, JsonText, Rejected } from '../answers.ts'
import { valueView } from '../books/positions/account-positions.ts'
import { writeAmounts } from '../books/positions/render-amounts.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import type { Handler } from './context.ts'

export const positionSummary: Handler<'position-summary'> = async (request, { firm, tx, now, parts }) => {
  const { concentration } = parts.businessDay
  const valued = await valueView(tx, request.accountNumber, { ...request, now, concentration })
  if (valued === undefined) return accountNotFound(firm)
  if (valued instanceof Rejected) return valued
  const { summary, message } = valued
  return new Answered<Data<'position-summary'>>(
    new JsonText(writeAmounts(summary)),
    message ? { message } : {},
  )
}
