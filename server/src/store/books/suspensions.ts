/** What bears on the activity of accounts: that they are closed, and their restrictions with the days on which they were in force. */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

export interface Suspension {
  readonly account_number: string
  /** Of the restriction; null says that the account is closed. */
  readonly code: string | null
  /** Days in US Eastern; it was in force at the end of each from the first on, and no longer at the end of the last. */
  readonly from: string
  readonly until: string | null
}

function day(column: string): string {
  return `(${column} at time zone 'America/New_York')::date::text`
}

const select = statement<Suspension>(
  'select-suspensions',
  `select account_number, code, ${day('placed_at')} as from, ${day('ended_at')} as until from clearing.restriction
   where account_number = any ($1)
   union all
   select account_number, null, ${day('updated_at')}, null from clearing.account
   where account_number = any ($1) and status = 'Closed'`,
)

/** Of the accounts that have any. Read once their books are locked, it holds until the transaction ends for closings. */
export function readSuspensions(tx: Tx, accountNumbers: readonly string[]): Promise<Suspension[]> {
  return tx.rows(select, [accountNumbers])
}
