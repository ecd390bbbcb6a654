/**
 * Facts that suspend the activity of accounts: closings, and restrictions with the days on which they were in force.
 */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { dayOf } from '../conditions.ts'

export interface Suspension {
  readonly account_number: string
  /** Code of the restriction; null if the account is closed. */
  readonly code: string | null
  /** Days in US Eastern time. It was in force at the end of each day from the first until before the last. */
  readonly from: string
  readonly until: string | null
}

function day(column: string): string {
  return `${dayOf(column)}::text`
}

const select = statement<Suspension>(
  'select-suspensions',
  `select account_number, code, ${day('placed_at')} as from, ${day('ended_at')} as until from clearing.restriction
   where account_number = any ($1)
   union all
   select account_number, null, ${day('updated_at')}, null from clearing.account
   where account_number = any ($1) and status = 'Closed'`,
)

/**
 * Suspensions of the accounts. If they are read while the books are locked, no account closes before the transaction
 * ends.
 */
export function readSuspensions(tx: Tx, accountNumbers: readonly string[]): Promise<Suspension[]> {
  return tx.rows(select, [accountNumbers])
}

const selectClosed = statement<{ account_number: string }>(
  'select-closed-accounts',
  `select account_number from clearing.account where account_number = any ($1) and status = 'Closed'`,
)
/** Which of the accounts are closed. */
export async function readClosedAccounts(tx: Tx, accountNumbers: readonly string[]): Promise<Set<string>> {
  if (accountNumbers.length === 0) return new Set()
  const rows = await tx.rows(selectClosed, [accountNumbers])
  return new Set(rows.map(({ account_number }) => account_number))
}
