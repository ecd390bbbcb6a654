/** list-calls: margin calls of the firm's accounts, now or at the close of a day, in pages. */
import { renderDecimal, ZERO } from '@clearing/domain/decimal'
import { extended } from '@clearing/domain/market'
import { limits, type Request } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { exactNumber } from '../books/positions/render-amounts.ts'
import { isAhead, knowsAll, neverClosed } from '../books/positions/view.ts'
import type { Tx } from '../database/transaction.ts'
import { answerOfAccount } from '../firm-rules/account-not-found.ts'
import { cursorOf, dotted } from '../paging/cursor.ts'
import { accountNumber, day, oneOf } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { readBusinessDay } from '../store/business-day.ts'
import { extensionsOf, readExtensions } from '../store/call-extensions.ts'
import { type ListedCall, readCalls, readCloseUntil } from '../store/margin-calls.ts'
import type { Handler } from './context.ts'

const places = cursorOf(
  'list-calls',
  [accountNumber, oneOf('Cash', 'Fed', 'Intraday', 'Maintenance'), day],
  dotted,
)
const decimalPlaces = 2

export const listCalls: Handler<'list-calls'> = async (request, context) => {
  const { tx, now } = context
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const closed = await findClosed(tx, request, { today: await readBusinessDay(tx, now), now })
  if (closed instanceof Rejected) return closed
  const size = request.size ?? limits.callsPageSizeMax
  const found = await readCalls(tx, {
    accountNumber: request.accountNumber ?? null,
    state: request.includeMet === true ? null : 'Open',
    after,
    most: size + 1,
    closed,
  })
  const { rows, next } = pageOfRows(found, size, places, (call) => [
    call.accountNumber,
    call.kind,
    call.issuedOn,
  ])
  // The close writes the due date of an extension into the call. Until then, the call is extended here.
  const extensions =
    closed === undefined
      ? await readExtensions(tx, [...new Set(rows.map((call) => call.accountNumber))], null)
      : []
  const page = {
    calls: rows.map((call) =>
      renderCall({ ...call, dueBy: extended(call.dueBy, extensionsOf(extensions, call)) }),
    ),
    next,
  }
  return answerOfAccount(page, rows.length === 0, request.accountNumber, context)
}

/** The day of the requested close. Closes issue calls, so a day's calls are those known at its close. */
async function findClosed(
  tx: Tx,
  { asOf, knownAt }: Request<'list-calls'>,
  { today, now }: { readonly today: string; readonly now: Date },
): Promise<string | undefined | Rejected> {
  if (isAhead(knownAt, today, now)) return new Rejected([neverClosed])
  const past = [asOf, knownAt].filter((day) => day !== undefined && day !== knowsAll && day < today).sort()
  const [day] = past
  if (day === undefined) return undefined
  const closed = await readCloseUntil(tx, day)
  if (closed !== undefined) return closed
  return day === knownAt ? new Rejected([neverClosed]) : day
}

function renderCall(call: ListedCall) {
  return {
    accountNumber: call.accountNumber,
    accountName: call.accountName,
    kind: call.kind,
    state: stateOf(call),
    issuedOn: call.issuedOn,
    dueBy: call.dueBy,
    amount: exactNumber(renderDecimal(call.amount, decimalPlaces)),
    outstanding: exactNumber(renderDecimal(call.outstanding, decimalPlaces)),
    ageDays: call.ageDays,
    overdue: call.metOn === null && call.agedOn > call.dueBy,
    unsatisfiedDeficits: call.unsatisfiedDeficits,
    metOn: call.metOn,
  }
}

function stateOf({ metOn, outstanding }: ListedCall): string {
  if (metOn === null) return 'Open'
  return outstanding > ZERO ? 'Ended' : 'Met'
}
