/**
 * The log of the firms' calls, for their engineers. Calls are written in batches, read the latest first, and
 * removed when old.
 */
import { type Statement, statement, unprepared, type Value } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { compress, readText } from './compressed.ts'
import { ofNoMovingFirm } from './moved-firms.ts'

export interface LoggedRequest {
  readonly firmId: string
  readonly at: Date
  readonly requestId: string
  readonly traceId: string
  readonly clientId: string
  readonly operation: string
  readonly address: string
  readonly status: number
  readonly errorCodes: readonly string[]
  readonly durationMs: number
  readonly idempotencyKey: string | null
  readonly replayed: boolean
  readonly requestBody: string | null
  readonly answerBody: string | null
}

const insertSql = `insert into clearing.request
     (firm_id, at, request_id, trace_id, client_id, operation, address, status, error_codes, duration_ms, idempotency_key,
      replayed, bodies)
   select firm_id, at, request_id, trace_id, client_id, operation, address, status, string_to_array(codes, ' '), duration_ms,
     idempotency_key, replayed, bodies
   from unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[],
     $9::text[], $10::int[], $11::text[], $12::boolean[], $13::bytea[])
     as given (firm_id, at, request_id, trace_id, client_id, operation, address, status, codes, duration_ms,
       idempotency_key, replayed, bodies)`
const insertRows = statement('insert-requests', insertSql)
// Apart, because it writes 50 bytes more of the log for each row.
const insertMissing = statement('insert-missing-requests', `${insertSql} on conflict do nothing`)

/**
 * For the operations' pool: a batch holds calls of several firms. `isInDoubt`: some of the calls may have been recorded
 * by an attempt whose outcome is unknown; only the others are added.
 */
export function insertRequests(tx: Tx, rows: readonly LoggedRequest[], isInDoubt = false): void {
  tx.later(isInDoubt ? insertMissing : insertRows, [
    rows.map(({ firmId }) => firmId),
    rows.map(({ at }) => at.toISOString()),
    rows.map(({ requestId }) => requestId),
    rows.map(({ traceId }) => traceId),
    rows.map(({ clientId }) => clientId),
    rows.map(({ operation }) => operation),
    rows.map(({ address }) => address),
    rows.map(({ status }) => status),
    rows.map(({ errorCodes }) => errorCodes.join(' ')),
    rows.map(({ durationMs }) => durationMs),
    rows.map(({ idempotencyKey }) => idempotencyKey),
    rows.map(({ replayed }) => replayed),
    rows.map(bodiesOf),
  ])
}

/** Both bodies as one compressed text, because a response repeats much of its request. */
function bodiesOf({ requestBody, answerBody }: LoggedRequest): Buffer | null {
  return requestBody === null && answerBody === null
    ? null
    : compress(JSON.stringify([requestBody, answerBody]))
}

export interface RequestPlace {
  readonly at: string
  readonly requestId: string
}

export interface RequestQuery {
  /** The 32 hexadecimal digits of a trace id. */
  readonly trace?: string | undefined
  /** One call of the trace. */
  readonly traceId?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly statusFrom?: number | undefined
  readonly statusTo?: number | undefined
  readonly operation?: string | undefined
  readonly clientId?: string | undefined
  /** Only calls before this one. */
  readonly before?: RequestPlace | undefined
  readonly size: number
}

export interface RequestRow {
  readonly at: string
  readonly request_id: string
  readonly trace_id: string
  readonly client_id: string
  readonly operation: string
  readonly address: string
  readonly status: number
  readonly error_codes: readonly string[]
  readonly duration_ms: number
  readonly idempotency_key: string | null
  readonly replayed: boolean
  readonly request_body?: string | null
  readonly answer_body?: string | null
}

export interface RequestPage {
  readonly requests: readonly RequestRow[]
  /** The position of the next page; undefined when there are no more calls. */
  readonly end: RequestPlace | undefined
}

/** The number of calls that one page reads for a filter that few calls match. */
const defaultScannedMax = 20_000

interface PageRow extends RequestRow {
  /** The JSON array of both bodies, compressed. Null if there are none, or if the text columns have them. */
  readonly bodies: Buffer | null
  readonly scanned_at: string | null
  readonly scanned_id: string | null
}

const latestFirst = 'order by at desc, request_id desc'

export async function findRequests(
  tx: Tx,
  firmId: string,
  query: RequestQuery,
  scannedMax = defaultScannedMax,
): Promise<RequestPage> {
  const { what, values } = compose(firmId, query, scannedMax)
  const found = await tx.rows(what, values)
  const requests = found
    .filter(({ request_id }) => request_id !== null)
    .slice(0, query.size)
    .map(withBodies)
  const last = requests.at(-1)
  if (found.length > query.size && last !== undefined) {
    return { requests, end: { at: last.at, requestId: last.request_id } }
  }
  const { scanned_at: at, scanned_id: requestId } = found[0] ?? { scanned_at: null, scanned_id: null }
  return { requests, end: at === null || requestId === null ? undefined : { at, requestId } }
}

function withBodies({ bodies, ...row }: PageRow): RequestRow {
  if (bodies === null) return row
  const [request_body, answer_body]: [string | null, string | null] = JSON.parse(readText(bodies))
  return { ...row, request_body, answer_body }
}

/**
 * Reads a limited number of calls along the index and selects the matching ones. Also returns the position at
 * which the search stopped at the limit.
 */
function compose(
  firmId: string,
  query: RequestQuery,
  scannedMax: number,
): { what: Statement<PageRow>; values: Value[] } {
  const values: Value[] = [firmId, query.size + 1]
  const add = (value: Value) => `$${values.push(value)}`
  const range = ['firm_id = $1']
  const { trace, before } = query
  if (trace !== undefined) range.push(`substr(trace_id, 4, 32) = ${add(trace)}`)
  if (query.from !== undefined) range.push(`at >= ${add(query.from)}`)
  if (query.to !== undefined) range.push(`at <= ${add(query.to)}`)
  if (before !== undefined) {
    range.push(`(at, request_id) < (${add(before.at)}::timestamptz, ${add(before.requestId)}::uuid)`)
  }
  const wanted = ['true']
  if (query.traceId !== undefined) wanted.push(`trace_id = ${add(query.traceId)}`)
  if (query.statusFrom !== undefined) wanted.push(`status >= ${add(query.statusFrom)}`)
  if (query.statusTo !== undefined) wanted.push(`status <= ${add(query.statusTo)}`)
  if (query.operation !== undefined) wanted.push(`operation = ${add(query.operation)}`)
  if (query.clientId !== undefined) wanted.push(`client_id = ${add(query.clientId)}`)
  const what = unprepared<PageRow>(
    `with scanned as (
       select firm_id, at, request_id, trace_id, status, operation, client_id from clearing.request
       where ${range.join(' and ')} ${latestFirst} limit ${scannedMax}
     ), turned as (
       select at, request_id from scanned ${latestFirst} offset ${scannedMax - 1}
     ), matching as (
       select firm_id, at, request_id from scanned where ${wanted.join(' and ')} ${latestFirst} limit $2
     )
     select turned.at as scanned_at, turned.request_id as scanned_id, kept.*
     from (select) as one left join turned on true
       left join (matching join clearing.request as kept using (firm_id, at, request_id)) on true
     order by kept.at desc, kept.request_id desc`,
  )
  return { what, values }
}

const removeOldest = statement(
  'remove-oldest-requests',
  `delete from clearing.request using (
     select old.firm_id, old.at, old.request_id from (select firm_id from clearing.firm where ${ofNoMovingFirm}) as firm cross join lateral (
       select firm_id, at, request_id from clearing.request
       where request.firm_id = firm.firm_id and at < clock_timestamp() - $1::int * interval '1 day'
       order by at limit $2
     ) as old limit $2
   ) as old
   where (request.firm_id, request.at, request.request_id) = (old.firm_id, old.at, old.request_id)`,
)
/**
 * Removes at most `size` calls older than `keptDays` days and returns how many it removed. For the operations
 * pool.
 */
export function removeOldRequests(tx: Tx, keptDays: number, size: number): Promise<number> {
  return tx.run(removeOldest, [keptDays, size])
}
