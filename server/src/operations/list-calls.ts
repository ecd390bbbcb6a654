/** list-calls: margin calls of the firm's accounts, a page at a time. */
import { type Decimal, renderDecimal } from '@clearing/domain/decimal'
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { cursorOf, dotted } from '../paging/cursor.ts'
import { accountNumber, day, oneOf } from '../paging/cursor-fields.ts'
import { pageOfRows, readPlace } from '../paging/page.ts'
import { readCalls, type StoredCall } from '../store/margin-calls.ts'
import type { Handler } from './context.ts'

const places = cursorOf([accountNumber, oneOf('Fed', 'Maintenance'), day], dotted)
const decimalPlaces = 2
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown }

export const listCalls: Handler<'list-calls'> = async (request, { tx }) => {
  const after = readPlace(places, request)
  if (after instanceof Rejected) return after
  const size = request.size ?? limits.callsPageSizeMax
  const found = await readCalls(tx, {
    accountNumber: request.accountNumber ?? null,
    state: request.includeMet === true ? null : 'Open',
    after,
    most: size + 1,
  })
  const { rows, next } = pageOfRows(found, size, places, (call) => [
    call.accountNumber,
    call.kind,
    call.issuedOn,
  ])
  return { calls: rows.map(renderCall), next }
}

function renderCall(call: StoredCall) {
  return {
    accountNumber: call.accountNumber,
    kind: call.kind,
    state: call.metOn === null ? 'Open' : 'Met',
    issuedOn: call.issuedOn,
    dueBy: call.dueBy,
    amount: exactNumber(call.amount),
    outstanding: exactNumber(call.outstanding),
    ageDays: call.ageDays,
    overdue: call.metOn === null && call.agedOn > call.dueBy,
    metOn: call.metOn,
  }
}

/** A JSON number with the digits of the amount: no binary fraction comes between. */
function exactNumber(amount: Decimal): number {
  return rawJson(renderDecimal(amount, decimalPlaces)) as number
}
