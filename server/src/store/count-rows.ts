/** Counts the rows of a list up to a limit, so that counting stays quick. */
import { limits } from '@clearing/protocol/values'
import { unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { Conditions } from './conditions.ts'

/**
 * The number of rows of `from` under the conditions. If there are more rows than the limit, it is the limit plus one.
 */
export async function countRows(tx: Tx, from: string, c: Conditions): Promise<number> {
  const [counted] = await tx.rows(
    unprepared<{ count: number }>(
      `select count(*)::int as count from (select from ${from}${c.where()} limit ${limits.countedMax + 1}) as counted`,
    ),
    c.values,
  )
  return counted?.count ?? 0
}
