/** The event log: each change of an account appends its event in its own transaction. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { newId } from '../ids.ts'

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
  `insert into clearing.event (event_id, firm_id, account_number, sequence, type, at, trace_id, content, entity_number, rep_code)
   values ($1, $2, $3, 1, $4, $5, $6, $7, $8, $9)`,
)

/** `counted`: a query of the account that returns its sequence before these events. */
function insertAfter(counted: string): string {
  return `with counted as (${counted})
   insert into clearing.event (event_id, firm_id, account_number, sequence, type, at, trace_id, content,
     transaction_id, entity_number, rep_code)
   select event_id, $1, $2, before + place, type, at, trace_id, content::jsonb, event_order, entity_number, rep_code
   from counted, unnest($3::uuid[], $4::text[], $5::timestamptz[], $6::text[], $7::text[])
     with ordinality as new (event_id, type, at, trace_id, content, place)
   order by place`
}
const columnsCounted =
  'event_sequence - cardinality($3::uuid[]) as before, event_order, entity_number, rep_code'
/** The account's next sequences are taken under its row lock, so events of one account are numbered without gaps. */
const insertEvents = statement(
  'insert-events',
  insertAfter(`update clearing.account set event_sequence = event_sequence + cardinality($3::uuid[]),
     event_order = greatest(event_order, pg_current_xact_id()) where account_number = $2 returning ${columnsCounted}`),
)
const insertCountedEvents = statement(
  'insert-counted-events',
  insertAfter(`select ${columnsCounted} from clearing.account where account_number = $2`),
)

/**
 * An account with its new events. `isCounted`: this transaction counted them when it moved the status of the
 * account.
 */
export interface EventsOf {
  readonly firmId: string
  readonly accountNumber: string
  readonly isCounted: boolean
}

/** Writes several events of one account in their order. */
export function writeEvents(
  tx: Tx,
  { firmId, accountNumber, isCounted }: EventsOf,
  events: readonly Omit<NewEvent, 'firmId' | 'accountNumber'>[],
): void {
  if (events.length === 0) return
  tx.later(isCounted ? insertCountedEvents : insertEvents, [
    firmId,
    accountNumber,
    events.map(({ at }) => newId(at)),
    events.map(({ type }) => type),
    events.map(({ at }) => at),
    events.map(({ traceId }) => traceId),
    events.map(({ content }) => JSON.stringify(content)),
  ])
}

export function writeEvent(tx: Tx, { firmId, accountNumber, ...event }: NewEvent): void {
  writeEvents(tx, { firmId, accountNumber, isCounted: false }, [event])
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
