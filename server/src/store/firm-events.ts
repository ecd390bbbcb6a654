/** Events that concern a firm as a whole and no account. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { NewEvent } from './events.ts'

const insertFirmEvents = statement(
  'insert-event-of-firms',
  `insert into clearing.event_row (event_id, firm_id, sequence, type, at, trace_id, content)
   select gen_random_uuid(), firm_id, 0, $1, $2, $3, $4 from clearing.firm
   where disabled_at is null and exists (select from clearing.entity where entity.firm_id = firm.firm_id)`,
)

const insertFirmEvent = statement(
  'insert-event-of-firm',
  `insert into clearing.event_row (event_id, firm_id, sequence, type, at, trace_id, content)
   values (gen_random_uuid(), $1, 0, $2, $3, $4, $5)`,
)

/** Writes one event for one firm. */
export function writeEventOfFirm(
  tx: Tx,
  { firmId, type, at, traceId, content }: Omit<NewEvent, 'accountNumber'>,
): void {
  tx.later(insertFirmEvent, [firmId, type, at, traceId, content])
}

/** Writes one event for every firm that has accounts or can have them. */
export function writeEventOfFirms(
  tx: Tx,
  { type, at, traceId, content }: Omit<NewEvent, 'firmId' | 'accountNumber'>,
): void {
  tx.later(insertFirmEvents, [type, at, traceId, content])
}
