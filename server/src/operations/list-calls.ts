/** list-calls: margin calls of the firm's accounts, a page at a time. */
import { type Decimal, renderDecimal } from '@clearing/domain/decimal'
import { reject } from '@clearing/protocol'
import { type Handler, Rejected } from '../context.ts'
import { type CallPlace, readCalls, type StoredCall } from '../store/margin-calls.ts'

const pageSize = 200
const places = 2
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown }

export const listCalls: Handler<'list-calls'> = async (request, { tx }) => {
  const after = request.after === undefined ? undefined : parsePlace(request.after)
  if (after === null) return new Rejected([reject('ERR.1016', 'after', 'after must be the next of a page.')])
  const found = await readCalls(tx, {
    accountNumber: request.accountNumber ?? null,
    state: request.includeMet === true ? null : 'Open',
    after,
    most: pageSize + 1,
  })
  const calls = found.slice(0, pageSize)
  const last = calls.at(-1)
  return {
    calls: calls.map(renderCall),
    next: found.length > pageSize && last ? `${last.accountNumber}.${last.kind}.${last.issuedOn}` : '',
  }
}

const renderCall = (call: StoredCall) => ({
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
})

/** A JSON number with the digits of the amount: no binary fraction comes between. */
const exactNumber = (amount: Decimal): number => rawJson(renderDecimal(amount, places)) as number

/** Null for a text that is no place. */
const parsePlace = (text: string): CallPlace | null => {
  const parts = /^([A-Z0-9]{8})\.(Fed|Maintenance)\.(\d{4}-\d{2}-\d{2})$/.exec(text)
  if (parts === null) return null
  const [, accountNumber = '', kind = '', issuedOn = ''] = parts
  return { accountNumber, kind, issuedOn }
}
