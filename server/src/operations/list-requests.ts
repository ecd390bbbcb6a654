/** list-requests: the firm's own calls, the latest first. */
import { limits, nearestName, operations, type Request, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { cursorOf, spaced } from '../paging/cursor.ts'
import { time, uuid } from '../paging/cursor-fields.ts'
import { readPosition } from '../paging/page.ts'
import { readTimeRange } from '../paging/time-range.ts'
import { findRequests, type RequestRow } from '../store/requests.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-requests', [time, uuid], spaced)

export const listRequests: Handler<'list-requests'> = async (request, { tx, firm }) => {
  const { size = limits.pageSizeDefault } = request
  // An empty filter counts as absent (Reading 1.2).
  const [traceId, operation, clientId] = [request.traceId, request.operation, request.clientId].map(
    (given) => given || undefined,
  )
  const range = readTimeRange(request)
  const before = readPosition(places, request)
  const status = parseStatus(request.status || undefined)
  const trace = traceId === undefined ? undefined : traceForm.exec(traceId.toLowerCase())
  const rejections = [
    ...(range instanceof Rejected ? range.rejections : []),
    ...(trace === null ? [traceMalformed] : []),
    ...(status === 'malformed' ? [statusMalformed] : []),
    ...(operation === undefined || Object.hasOwn(operations, operation) ? [] : [unknownOperation(operation)]),
    ...(before instanceof Rejected ? before.rejections : []),
  ]
  if (
    rejections.length > 0 ||
    status === 'malformed' ||
    range instanceof Rejected ||
    before instanceof Rejected
  )
    return new Rejected(rejections)
  const { requests, end } = await findRequests(tx, firm.firmId, {
    trace: trace?.[2],
    traceId: trace?.[1] === undefined ? undefined : trace[0],
    ...range,
    statusFrom: status?.from,
    statusTo: status?.to,
    operation,
    clientId,
    before: before && { at: before[0], requestId: before[1] },
    size,
  })
  const next = end === undefined ? '' : places.write([end.at, end.requestId])
  return { requests: requests.map(render), next, nextCursor: next || null }
}

function render(row: RequestRow) {
  return {
    requestId: row.request_id,
    traceId: row.trace_id,
    at: row.at,
    clientId: row.client_id,
    operation: row.operation,
    address: row.address,
    status: row.status,
    errorCodes: [...row.error_codes],
    durationMs: row.duration_ms,
    idempotencyKey: row.idempotency_key,
    replayed: row.replayed,
    requestBody: row.request_body ?? null,
    answerBody: row.answer_body ?? null,
  }
}

const traceForm = /^(00-)?([0-9a-f]{32})(?:-[0-9a-f]{16}-[0-9a-f]{2})?$/

const traceMalformed = reject(
  'ERR.1016',
  'traceId',
  'Trace id must be the traceId of a response, or the 32 hexadecimal digits in its middle.',
)
const statusMalformed = reject('ERR.1015', 'status', 'Status must be one like 400, or a class like 4xx.')

function unknownOperation(named: string) {
  const nearest = nearestName(named, Object.keys(operations))
  const reason = `There is no operation of this name${nearest === undefined ? '' : `; nearest: ${nearest}`}.`
  return reject('ERR.1015', 'operation', reason)
}

/** A status, or all statuses of a class. */
function parseStatus(status: Request<'list-requests'>['status']) {
  if (status === undefined) return undefined
  const text = String(status).toLowerCase()
  if (/^[2-5]\d\d$/.test(text)) return { from: Number(text), to: Number(text) }
  if (!/^[2-5]xx$/.test(text)) return 'malformed'
  const from = Number(text[0]) * 100
  return { from, to: from + 99 }
}
