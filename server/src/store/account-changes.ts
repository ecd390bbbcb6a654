/**
 * The history of an account, one row for each change. A row is appended in the transaction of the change and never
 * updated.
 */
import type { AccountStatus } from '@clearing/domain'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

/** The actor of a change, and the operation. */
export interface ChangeMade {
  /** The credential that requested the change, or `service`. */
  readonly actor: string
  readonly operation: string
  readonly traceId: string
}

export interface AccountChange {
  readonly sequence: number
  readonly version: number
  readonly status: AccountStatus
  /** ISO 8601 UTC. */
  readonly at: string
  readonly actor: string
  readonly operation: string
  readonly trace_id: string
}

// The change itself locks the account's row, so its changes are numbered without gaps.
const insertChange = statement(
  'insert-account-change',
  `insert into clearing.account_change
     (account_number, firm_id, sequence, version, status, at, actor, operation, trace_id, sent)
   select account_number, firm_id,
     1 + coalesce((select max(sequence) from clearing.account_change where account_number = $1), 0),
     version, status, $2, $3, $4, $5, $6::bytea
   from clearing.account where account_number = $1`,
)

/**
 * Records the version and the status that the account’s row has now; `sent` is the sealed application that made the
 * account.
 */
export function writeAccountChange(
  tx: Tx,
  accountNumber: string,
  at: Date,
  by: ChangeMade,
  sent: Buffer | null = null,
): void {
  tx.later(insertChange, [accountNumber, at, by.actor, by.operation, by.traceId, sent])
}

const columns = 'sequence, version, status, at, actor, operation, trace_id'
const selectChanges = statement<AccountChange>(
  'select-account-changes',
  `select ${columns} from clearing.account_change
   where account_number = $1 and ($2::integer is null or sequence < $2) order by sequence desc limit $3`,
)
const selectChangeAt = statement<AccountChange>(
  'select-account-change-at',
  `select ${columns} from clearing.account_change where account_number = $1 and at <= $2
   order by sequence desc limit 1`,
)
const selectEndOfDay = statement<{ moment: string }>(
  'select-end-of-eastern-day',
  `select ($1::date + 1)::timestamp at time zone 'America/New_York' - interval '1 microsecond' as moment`,
)

/** The changes before a sequence, or all changes, the latest first. */
export function readAccountChanges(
  tx: Tx,
  accountNumber: string,
  before: number | null,
  most: number,
): Promise<AccountChange[]> {
  return tx.rows(selectChanges, [accountNumber, before, most])
}

/** The last change up to a moment; undefined when the account did not exist yet. */
export function readChangeAt(
  tx: Tx,
  accountNumber: string,
  moment: string,
): Promise<AccountChange | undefined> {
  return tx.row(selectChangeAt, [accountNumber, moment])
}

/** The last moment of a day in US Eastern time. */
export async function endOfEasternDay(tx: Tx, day: string): Promise<string> {
  const row = await tx.row(selectEndOfDay, [day])
  if (row === undefined) throw new Error('a day has an end')
  return row.moment
}
