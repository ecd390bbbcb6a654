/** The entitlements of accounts, for lines that use margin or options. */
import type { AccountRecord } from '@clearing/domain'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { accountsWithRecords, recordOfAccount } from '../accounts.ts'

export interface EntitledRow {
  readonly account_number: string
  readonly registration_type: string
  readonly main: AccountRecord['main'] | null
}

const selectEntitled = statement<EntitledRow>(
  'select-entitled',
  `select account_number, registration_type, ${recordOfAccount} -> 'main' as main from ${accountsWithRecords} where account_number = any ($1)`,
)

/** The entitlements by the current records of the accounts. */
export function readEntitled(tx: Tx, accountNumbers: readonly string[]): Promise<EntitledRow[]> {
  return tx.rows(selectEntitled, [accountNumbers])
}
