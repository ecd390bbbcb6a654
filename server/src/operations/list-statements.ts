/** list-statements: statements and confirmations of an account with their versions, the latest first. */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { checkDayRanges } from '../paging/check-day-ranges.ts'
import { cursorOf } from '../paging/cursor.ts'
import { day, oneOf, whole } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { renderStatement } from '../statements/render-statement.ts'
import { readAccountHead } from '../store/accounts.ts'
import { findStatements, type StatementKind, type StatementRow } from '../store/statements.ts'
import type { Handler } from './context.ts'

const versionMax = 10_000
const places = cursorOf('list-statements', [day, oneOf('Statement', 'Confirmation'), whole(versionMax, 1)])
function placeOf({ period_to, kind, version }: StatementRow) {
  return [period_to, kind, version] as const
}

export const listStatements: Handler<'list-statements'> = async (request, { tx, firm }) => {
  const { accountNumber, dateFrom, dateTo, size = limits.pageSizeDefault } = request
  const kind = request.kind as StatementKind | undefined
  const wrong = checkDayRanges(request, [['dateFrom', 'dateTo']])
  if (wrong.length > 0) return new Rejected(wrong)
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  if (!(await readAccountHead(tx, accountNumber))) return accountNotFound(firm)
  const filter = { accountNumber, kind, from: dateFrom, to: dateTo }
  const found = await findStatements(tx, filter, after, size + 1)
  const { rows, next } = pageOfRows(found, size, places, placeOf)
  return { statements: rows.map(renderStatement), next }
}
