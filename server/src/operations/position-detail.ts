/** position-detail: the portfolios of position-summary with one item for each lot. */
import type { Data } from '@clearing/protocol'
import { Answered, JsonText, Rejected } from '../answers.ts'
import { valueView } from '../books/positions/account-positions.ts'
import { writeAmounts } from '../books/positions/render-amounts.ts'
import { valueLots } from '../books/positions/value-lots.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import type { Handler } from './context.ts'

export const positionDetail: Handler<'position-detail'> = async (
  { accountNumber, ...view },
  { firm, tx, now, parts },
) => {
  const valued = await valueView(tx, accountNumber, {
    ...view,
    now,
    withLots: true,
    markets: parts.markets,
  })
  if (valued === undefined) return accountNotFound(firm)
  if (valued instanceof Rejected) return valued
  const { held, lines, message } = valued
  const detail = { acctNo: accountNumber, date: held.at, portfolios: lines.flatMap(valueLots) }
  return new Answered<Data<'position-detail'>>(new JsonText(writeAmounts(detail)), message ? { message } : {})
}
