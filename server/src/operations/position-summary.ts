/**
 * position-summary: the positions of the books with their values. A position without a price has the value 0,
 * and the message names such positions.
 */
import type { Data } from '@clearing/protocol'
import { Answered, JsonText, Rejected } from '../answers.ts'
import { valueView } from '../books/positions/account-positions.ts'
import { writeAmounts } from '../books/positions/render-amounts.ts'
import type { SummaryNow } from '../books/positions/summary-now.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import type { Handler } from './context.ts'

export const positionSummary: Handler<'position-summary'> = async (request, { firm, tx, now, parts }) => {
  const { accountNumber, asOf, knownAt } = request
  const asked = { now, concentration: parts.businessDay.concentration }
  if (asOf === undefined && knownAt === undefined) {
    const summary = await parts.summaries.now(tx, accountNumber, asked)
    return summary === undefined ? accountNotFound(firm) : answer(summary)
  }
  const valued = await valueView(tx, accountNumber, { ...request, ...asked })
  if (valued === undefined) return accountNotFound(firm)
  if (valued instanceof Rejected) return valued
  return answer({ text: writeAmounts(valued.summary), message: valued.message })
}

function answer({ text, message }: SummaryNow): Answered<Data<'position-summary'>> {
  return new Answered<Data<'position-summary'>>(new JsonText(text), message ? { message } : {})
}
