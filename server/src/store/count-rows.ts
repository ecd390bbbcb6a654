/** How many rows a list has, counted only so far as that is quick. */
import { limits } from '@clearing/protocol'
import { unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { Conditions } from './conditions.ts'

/** Of what is selected `from`, under the conditions; one more than the most that is counted where there are more. */
export async function countRows(tx: Tx, from: string, c: Conditions): Promise<number> {
  const [counted] = await tx.rows(
    unprepared<{ count: number }>(
      `select count(*)::int as count from (select from ${from}${c.where()} limit ${limits.countedMax + 1}) as counted`,
    ),
    c.values,
  )
  return counted?.count ?? 0
}
