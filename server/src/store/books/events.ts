/** Events of many accounts in one statement: the result of a batch of lines. */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { NewEvent } from '../events.ts'
import { newIds } from './bulk.ts'

const insertEvents = statement(
  'insert-events-of-accounts',
  `with given as (
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[])
       as given (event_id, firm_id, account_number, type, content)
   ),
   counted as (
     update clearing.account
     set event_sequence = event_sequence + 1, event_order = greatest(event_order, pg_current_xact_id()) from given
     where account.account_number = given.account_number
     returning account.account_number, account.event_sequence, account.event_order, account.entity_number, account.rep_code
   )
   insert into clearing.event_row (event_id, firm_id, account_number, sequence, type, at, trace_id, content,
     transaction_id, entity_number, rep_code)
   select event_id, firm_id, account_number, event_sequence, type, $6, $7, content, event_order, entity_number, rep_code
   from given join counted using (account_number)`,
)

export type AccountEvent = Omit<NewEvent, 'at' | 'traceId'>

/** Writes one event for each account. */
export function writeEventsOfAccounts(
  tx: Tx,
  events: readonly AccountEvent[],
  at: Date,
  traceId: string,
): void {
  if (events.length === 0) return
  tx.later(insertEvents, [
    newIds(events.length, at),
    events.map(({ firmId }) => firmId),
    events.map(({ accountNumber }) => accountNumber),
    events.map(({ type }) => type),
    events.map(({ content }) => JSON.stringify(content)),
    at,
    traceId,
  ])
}
