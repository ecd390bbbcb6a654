/**
 * Reads the event log in order: by transaction, then by position. A page never passes an open transaction, because that
 * transaction may still write events before the existing ones.
 */
import { confirmed, type Statement, statement, unprepared, type Value } from '../database/statement.ts'
import { currentLine, firstLine, partingOf } from './event-lines.ts'
import { isAfterPosition, logOrder, rowIdsOf } from './event-rows.ts'
import { ofNoMovingFirm } from './moved-firms.ts'

/** A position in the log. */
export interface LogPosition {
  readonly transaction: bigint
  readonly position: bigint
  /** The line of the log to which the position belongs. */
  readonly line: number
}

const beforeAll: LogPosition = { transaction: 0n, position: 0n, line: firstLine }

/** The low watermark: the last position of any event before an open transaction. */
function beforeOpen(lowWatermark: bigint, line: number): LogPosition {
  return {
    transaction: lowWatermark - 1n,
    position: 2n ** 63n - 1n,
    line,
  }
}

export function isAfter(one: LogPosition, other: LogPosition): boolean {
  return (
    one.transaction > other.transaction ||
    (one.transaction === other.transaction && one.position > other.position)
  )
}

export interface LoggedEvent {
  readonly place: LogPosition
  /** The number of times that the firm had moved to another cell. */
  readonly moves: number
  readonly firmId: string
  readonly eventId: string
  readonly type: string
  readonly at: string
  readonly accountNumber: string
  readonly sequence: number
  readonly entityNumber: string
  readonly repCode: string
  readonly traceId: string
  readonly content: Record<string, unknown>
}

/** The selected events. An empty list of types selects every type. */
export interface EventFilter {
  readonly types: readonly string[]
  readonly entityNumber?: string | undefined
  readonly repCode?: string | undefined
  readonly accountNumber?: string | undefined
}

export const everyEvent: EventFilter = { types: [] }

/** `tx.rows`, or `readInFirm` with its pool and firm. */
export type ReadRows = <Row>(statement: Statement<Row>, values?: readonly Value[]) => Promise<Row[]>

export interface LogPageLimits {
  /** Number of events on the page. */
  readonly size: number
  /** The number of events to read for a filter that few events match. */
  readonly scannedMax?: number
}

export interface LogPage {
  readonly events: readonly LoggedEvent[]
  /** The position after which to continue. No earlier event is left out. */
  readonly end: LogPosition
  /** Whether there may be more events now. */
  readonly more: boolean
}

/** The number of events that one page reads for a filter that few events match. */
const defaultScannedMax = 20_000

/**
 * The number of moves of an event's firm between cells, and the line of the log. Every query of events selects them,
 * because every cursor contains them.
 */
export const movesAndLine = `(select count(*)::integer from clearing.event_log_before as log where log.firm_id = event.firm_id) as moves,
  ${currentLine} as line`

const columns = `event.firm_id, event.event_id, event.type, event.at, event.account_number, event.sequence, event.entity_number,
  event.rep_code, event.trace_id, event.content, event.transaction_id::text as transaction, event.position,
  ${movesAndLine}`

/** A row of the event log as the database returns it. */
export interface EventRow {
  readonly firm_id: string
  readonly event_id: string
  readonly type: string
  readonly at: string
  readonly account_number: string
  readonly sequence: bigint
  readonly entity_number: string
  readonly rep_code: string
  readonly trace_id: string
  readonly content: Record<string, unknown>
  readonly transaction: string
  readonly position: bigint
  readonly moves: number
  readonly line: number
}

export function toEvent(row: EventRow): LoggedEvent {
  return {
    place: { transaction: BigInt(row.transaction), position: row.position, line: row.line },
    moves: row.moves,
    firmId: row.firm_id,
    eventId: row.event_id,
    type: row.type,
    at: row.at,
    accountNumber: row.account_number,
    sequence: Number(row.sequence),
    entityNumber: row.entity_number,
    repCode: row.rep_code,
    traceId: row.trace_id,
    content: row.content,
  }
}

/** The values of a row comparison `(transaction_id, position) > (…)`. */
export function positionValues({ transaction, position }: LogPosition): [string, bigint] {
  return [transaction.toString(), position]
}

/** Why there is no page after a position. */
export type NoPage = 'too-old' | 'future' | 'lost'

interface PageRow extends EventRow {
  readonly lowWatermark: string
  readonly now_line: number
  readonly lost: boolean
  readonly removed_transaction: string
  readonly removed_position: bigint
  /** The position of the last event read, if the page read its maximum; null otherwise. */
  readonly scanned_transaction: string | null
  readonly scanned_position: bigint | null
  readonly event_id: string
}

/**
 * The firm's events after a position. `too-old`: events after it were removed because of their age; `future`: the log
 * has not reached it; `lost`: the database was restored to a moment before it.
 */
export async function readLogPage(
  rows: ReadRows,
  firmId: string,
  after: LogPosition | undefined,
  filter: EventFilter,
  { size, scannedMax = defaultScannedMax }: LogPageLimits,
): Promise<LogPage | NoPage> {
  const { text, values } = composePage(firmId, after ?? beforeAll, filter, size, scannedMax)
  const found = await rows(confirmed(unprepared<PageRow>(text)), values)
  const [first] = found
  if (first === undefined) throw new Error('the event log has no row of removals')
  const lowWatermark = BigInt(first.lowWatermark)
  const line = first.now_line
  const removed = { transaction: BigInt(first.removed_transaction), position: first.removed_position, line }
  if (after !== undefined && first.lost) return 'lost'
  if (after !== undefined && after.transaction >= lowWatermark) return 'future'
  if (after !== undefined && isAfter(removed, after)) return 'too-old'
  const events = found.filter(({ event_id }) => event_id !== null).map(toEvent)
  const last = events.at(size - 1)
  if (last !== undefined) return { events: events.slice(0, size), end: last.place, more: true }
  if (first.scanned_transaction !== null && first.scanned_position !== null) {
    const end = { transaction: BigInt(first.scanned_transaction), position: first.scanned_position, line }
    return { events, end, more: true }
  }
  return { events, end: beforeOpen(lowWatermark, line), more: false }
}

function composePage(
  firmId: string,
  after: LogPosition,
  filter: EventFilter,
  size: number,
  scannedMax: number,
) {
  const values: Value[] = [firmId, ...positionValues(after), size, after.line]
  const conditions = renderConditions(filter, values)
  const log = `clearing.logged_event as event where firm_id = $1 and ${isAfterPosition('$2::xid8', '$3::bigint')} and transaction_id < low_watermark`
  // One account has few events and an index for them.
  const bounded = conditions.length > 0 && filter.accountNumber === undefined
  const where = conditions.length === 0 ? '' : ` and ${conditions.join(' and ')}`
  const matching = bounded
    ? `select row_id, position from scanned as event where true${where} order by ${logOrder} limit $4`
    : `select row_id, position from here, ${log}${where} order by ${logOrder} limit $4`
  const text = `with here as (select pg_snapshot_xmin(pg_current_snapshot()) as low_watermark, ${currentLine} as line,
      coalesce($2::xid8 >= ${partingOf('$5::integer')}, false) as lost),
    ${
      bounded
        ? `scanned as materialized (
            select row_id, transaction_id, row_position, position, type, account_number, entity_number, rep_code
            from here, ${log} order by ${logOrder} limit ${scannedMax}),
          turned as (select transaction_id, position from scanned as event order by ${logOrder} offset ${scannedMax - 1}),`
        : 'turned as (select null::xid8 as transaction_id, null::bigint as position where false),'
    }
    matching as (${matching})
    select here.low_watermark::text as "lowWatermark", here.line as now_line, here.lost, removal.transaction_id::text as removed_transaction,
      removal.position as removed_position, turned.transaction_id::text as scanned_transaction,
      turned.position as scanned_position, ${columns}
    from here cross join clearing.event_removal as removal left join turned on true
      left join (matching join clearing.logged_event as event using (row_id, position)) as event on true
    order by event.transaction_id, event.position`
  return { text, values }
}

/** Renders the conditions of a filter and appends their values to `values`. */
export function renderConditions(filter: EventFilter, values: Value[]): string[] {
  const conditions: string[] = []
  const add = (value: Value) => `$${values.push(value)}`
  const { types, entityNumber, repCode, accountNumber } = filter
  if (types.length > 0) conditions.push(`type like any (${add(types.map(renderPattern))}::text[])`)
  if (entityNumber !== undefined) conditions.push(`entity_number = ${add(entityNumber)}`)
  if (repCode !== undefined) conditions.push(`rep_code = ${add(repCode)}`)
  if (accountNumber !== undefined) conditions.push(`account_number = ${add(accountNumber)}`)
  return conditions
}

function renderPattern(type: string): string {
  return type.replace(/[\\%_]/g, '\\$&').replace('*', '%')
}

/** Whether an event passes a filter. This is `renderConditions` for an event in memory. */
export function matches(
  { types, entityNumber, repCode, accountNumber }: EventFilter,
  event: Pick<LoggedEvent, 'type' | 'entityNumber' | 'repCode' | 'accountNumber'>,
): boolean {
  return (
    (types.length === 0 || types.some((type) => matchesType(type, event.type))) &&
    (entityNumber === undefined || entityNumber === event.entityNumber) &&
    (repCode === undefined || repCode === event.repCode) &&
    (accountNumber === undefined || accountNumber === event.accountNumber)
  )
}

/** Whether a type of event matches one of a filter, which may be a wildcard. */
export function matchesType(wanted: string, type: string): boolean {
  return wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : wanted === type
}

const selectPosition = confirmed(
  statement<{ transaction: string; position: bigint; line: number }>(
    'select-event-place',
    `select transaction_id::text as transaction, position, ${currentLine} as line from clearing.logged_event as event where row_id = any ($2::uuid[]) and event_id = $1`,
  ),
)

/** The position of an event of the firm; undefined if the firm has no such event. */
export async function findPosition(rows: ReadRows, eventId: string): Promise<LogPosition | undefined> {
  const [found] = await rows(selectPosition, [eventId, rowIdsOf([eventId])])
  return found && { ...found, transaction: BigInt(found.transaction) }
}

/**
 * Each firm is read by its index. An index over all firms would make every write of an event more expensive.
 */
const selectNew = confirmed(
  statement<EventRow>(
    'select-new-events',
    `select event.* from unnest($4::uuid[]) as firm (id) cross join lateral (
     select ${columns} from clearing.logged_event as event
     where firm_id = firm.id and ${isAfterPosition('$1::xid8', '$2::bigint')} and transaction_id < $3::xid8
     order by ${logOrder} limit $5
   ) as event
   order by event.transaction::xid8, event.position limit $5`,
  ),
)
const selectLowWatermark = confirmed(
  statement<{ lowWatermark: string; waiting: boolean; line: number }>(
    'select-event-low-watermark',
    `select pg_snapshot_xmin(pg_current_snapshot())::text as "lowWatermark", ${currentLine} as line,
     exists (
       select from unnest($1::uuid[]) as firm (id) where exists (
         select from clearing.event_row where firm_id = firm.id and transaction_id >= pg_snapshot_xmin(pg_current_snapshot())
       )) as waiting`,
  ),
)

/**
 * The position up to which the log can be read now, and whether events of these firms wait behind an open transaction.
 */
export async function readLowWatermark(
  rows: ReadRows,
  firmIds: readonly string[] = [],
): Promise<{ lowWatermark: bigint; end: LogPosition; waiting: boolean }> {
  const [found] = await rows(selectLowWatermark, [firmIds])
  if (found === undefined) throw new Error('the database names no snapshot')
  const lowWatermark = BigInt(found.lowWatermark)
  return { lowWatermark, end: beforeOpen(lowWatermark, found.line), waiting: found.waiting }
}

/** Events of some firms between a position and the low watermark, in the order of the log. */
export async function readNewEvents(
  rows: ReadRows,
  after: LogPosition,
  lowWatermark: bigint,
  firmIds: readonly string[],
  size: number,
): Promise<LoggedEvent[]> {
  const found = await rows(selectNew, [...positionValues(after), lowWatermark.toString(), firmIds, size])
  return found.map(toEvent)
}

const removeOldest = statement<{ removed: bigint }>(
  'remove-oldest-events',
  `with firm as (
     select firm_id from clearing.firm where ${ofNoMovingFirm}
   ), oldest as (
     select stored.* from firm cross join lateral (
       select transaction_id, position, position + coalesce(cardinality(more), 0) as last_position, written_at
       from clearing.event_row as stored
       where stored.firm_id = firm.firm_id order by transaction_id, position limit $2
     ) as stored order by transaction_id, position limit $2
   ), last as (
     select transaction_id, last_position as position from oldest where written_at < clock_timestamp() - $1::int * interval '1 day'
     order by transaction_id desc, position desc limit 1
   ), noted as (
     update clearing.event_removal set transaction_id = last.transaction_id, position = last.position from last
     where (event_removal.transaction_id, event_removal.position) < (last.transaction_id, last.position)
   ), removed as (
     delete from clearing.event_row as stored using last, firm
     where stored.firm_id = firm.firm_id and (stored.transaction_id, stored.position) <= (last.transaction_id, last.position) returning 1
   )
   select count(*) as removed from removed`,
)

/**
 * Removes at most `size` rows of events that are older than a number of days and returns how many it removed. For the
 * operations' pool.
 */
export async function removeOldEvents(rows: ReadRows, keptDays: number, size: number): Promise<number> {
  const [found] = await rows(removeOldest, [keptDays, size])
  return Number(found?.removed ?? 0)
}
