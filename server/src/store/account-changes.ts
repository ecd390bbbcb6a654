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
  /** Empty or absent without a reason. */
  readonly reason?: string
  /** The person or credential that requested the change, if it waited for another person or for operations. */
  readonly requestedBy?: string
}

/** The change of two persons that made a change of the account. */
export interface AskedChange {
  readonly change_id: string | null
  readonly asked_by: string | null
  /** Null also if no second person had to approve it. */
  readonly approved_by: string | null
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
  readonly reason: string | null
  readonly requested_by: string | null
}

// The change itself locks the account's row, so its changes are numbered without gaps.
const insertChange = statement(
  'insert-account-change',
  `insert into clearing.account_change
     (account_number, firm_id, sequence, version, status, at, actor, operation, trace_id, sent, reason, requested_by)
   select account_number, firm_id,
     1 + coalesce((select max(sequence) from clearing.account_change where account_number = $1), 0),
     version, status, $2, $3, $4, $5, $6::bytea, $7, $8
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
  tx.later(insertChange, [
    accountNumber,
    at,
    by.actor,
    by.operation,
    by.traceId,
    sent,
    by.reason || null,
    by.requestedBy || null,
  ])
}

const columns = 'sequence, version, status, at, actor, operation, trace_id, reason, made.requested_by'
/**
 * A request takes effect in the transaction that decides on it, at the same time. A clearance is decided in it too, and
 * the request that waited for it made the change. Of several requests that one call decided on for one account, none is
 * named.
 */
const asked = `select min(change_id::text) as change_id, min(requested_by) as asked_by,
    min(coalesce(approved_by, case when approval_needed then decided_by end)) as approved_by
  from clearing.change_request as request
  where request.account_number = made.account_number and request.account_number <> '' and request.state = 'Approved'
    and request.decided_at = made.at and request.operation <> 'decide-match'
  having count(*) = 1`
const selectChanges = statement<AccountChange & AskedChange>(
  'select-account-changes',
  `select ${columns}, change_id, asked_by, approved_by
   from clearing.account_change as made left join lateral (${asked}) as asked on true
   where account_number = $1 and ($2::integer is null or sequence < $2) order by sequence desc limit $3`,
)
const selectChangeAt = statement<AccountChange>(
  'select-account-change-at',
  `select ${columns} from clearing.account_change as made where account_number = $1 and at <= $2
   order by sequence desc limit 1`,
)

/** The changes before a sequence, or all changes, the latest first. */
export function readAccountChanges(
  tx: Tx,
  accountNumber: string,
  before: number | null,
  most: number,
): Promise<(AccountChange & AskedChange)[]> {
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
