/**
 * The event log: each change of an account appends its events in its own transaction, those of one account as one row.
 */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { newId } from '../ids.ts'
import { eventsOfRowMax, idInRow } from './event-rows.ts'

export interface NewEvent {
  readonly firmId: string
  readonly accountNumber: string
  readonly type: string
  readonly at: Date
  readonly traceId: string
  /** The `data` of the event; personal numbers only masked. */
  readonly content: Record<string, unknown>
}

/** With the columns of the account, which a trigger would look up. */
const insertFirstEvent = statement(
  'insert-first-event',
  `insert into clearing.event_row (event_id, firm_id, account_number, sequence, type, at, trace_id, content, entity_number, rep_code)
   values ($1, $2, $3, 1, $4, $5, $6, $7, $8, $9)`,
)

/** `counted`: a query of the account that returns the sequence of the first event of the row. */
function insertAfter(counted: string): string {
  return `with counted as (${counted})
   insert into clearing.event_row (event_id, firm_id, account_number, sequence, type, at, trace_id, content, more,
     transaction_id, entity_number, rep_code)
   select $3, $1, $2, sequence, $4, $5, $6, $7, $8::jsonb[], event_order, entity_number, rep_code from counted`
}
/** `$9` is the number of events that the account has counted from the first of the row on. */
const columnsCounted = 'event_sequence - $9::int + 1 as sequence, event_order, entity_number, rep_code'
/** The account's next sequences are taken under its row lock, so events of one account are numbered without gaps. */
const insertEvents = statement(
  'insert-events',
  insertAfter(`update clearing.account set event_sequence = event_sequence + $9::int,
     event_order = greatest(event_order, pg_current_xact_id()) where account_number = $2 returning ${columnsCounted}`),
)
const insertCountedEvents = statement(
  'insert-counted-events',
  insertAfter(`select ${columnsCounted} from clearing.account where account_number = $2`),
)

/** What the events of one change have in common. */
export interface EventsOf extends Pick<NewEvent, 'firmId' | 'accountNumber' | 'at' | 'traceId'> {
  /** This transaction counted the events when it moved the status of the account. */
  readonly isCounted: boolean
}

/** Writes the events of one change of an account in their order. */
export function writeEvents(
  tx: Tx,
  { firmId, accountNumber, at, traceId, isCounted }: EventsOf,
  events: readonly Pick<NewEvent, 'type' | 'content'>[],
): void {
  for (let from = 0; from < events.length; from += eventsOfRowMax) {
    const [first, ...more] = events.slice(from, from + eventsOfRowMax)
    if (first === undefined) return
    const counted = isCounted ? events.length - from : 1 + more.length
    tx.later(isCounted ? insertCountedEvents : insertEvents, [
      firmId,
      accountNumber,
      more.length === 0 ? newId(at) : idInRow(newId(at), 0),
      first.type,
      at,
      traceId,
      first.content,
      more.length === 0 ? null : more.map(({ type, content }) => JSON.stringify({ type, content })),
      counted,
    ])
  }
}

export function writeEvent(tx: Tx, { type, content, ...change }: NewEvent): void {
  writeEvents(tx, { ...change, isCounted: false }, [{ type, content }])
}

/** The first event of an account that this transaction inserts with event_sequence 1. */
export function writeFirstEvent(
  tx: Tx,
  event: NewEvent,
  { entityNumber, repCode }: { readonly entityNumber: string; readonly repCode: string },
): void {
  tx.later(insertFirstEvent, [
    newId(event.at),
    event.firmId,
    event.accountNumber,
    event.type,
    event.at,
    event.traceId,
    event.content,
    entityNumber,
    repCode,
  ])
}
