/** Accounts of this cell whose numbers other cells take for their own. */
import type { AccountNumbers } from '../config/account-numbers.ts'
import type { Pool } from '../database/pool.ts'
import { statement } from '../database/statement.ts'
import { readInFirm } from '../database/transaction.ts'

const selectForeign = statement<{ accountNumber: string }>(
  'select-accounts-with-foreign-numbers',
  `select account_number as "accountNumber" from clearing.account
   where (account_number < $1 or account_number > $2) and account_number <> all ($3)
   order by account_number limit 1`,
)

/**
 * The lowest account number outside the range that is not one of `moved`, which the directory lists as accounts of this
 * cell.
 */
export async function findForeignNumber(
  operations: Pool,
  { first, last }: AccountNumbers,
  moved: readonly string[],
): Promise<string | undefined> {
  const range = [String(first), `${last}999999`]
  return (await readInFirm(operations, null, selectForeign, [...range, moved]))[0]?.accountNumber
}
