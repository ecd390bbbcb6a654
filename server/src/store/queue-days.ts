/** The number of waiting items in each queue on past days. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { WorkQueue } from './work-queues.ts'

const keptDays = 60

const upsertCounts = statement(
  'upsert-queue-days',
  `insert into clearing.queue_day (counted_on, queue, count) select $1, * from unnest($2::text[], $3::bigint[])
   on conflict (counted_on, queue) do update set count = excluded.count`,
)
const deleteOld = statement(
  'delete-old-queue-days',
  `delete from clearing.queue_day where counted_on < $1::date - ${keptDays}`,
)
const selectBefore = statement<{ queue: WorkQueue; count: bigint }>(
  'select-queues-before',
  `select queue, count from clearing.queue_day
   where counted_on = (select max(counted_on) from clearing.queue_day where counted_on < $1)`,
)

/** Records the number of waiting items; the last count of a day remains. Old days are removed. */
export function noteQueueDay(
  tx: Tx,
  day: string,
  counts: readonly { readonly queue: WorkQueue; readonly count: bigint }[],
): void {
  tx.later(upsertCounts, [day, counts.map(({ queue }) => queue), counts.map(({ count }) => count)])
  tx.later(deleteOld, [day])
}

/** The number of waiting items at the end of the last counted day before a day. */
export async function readQueuesBefore(tx: Tx, day: string): Promise<ReadonlyMap<WorkQueue, bigint>> {
  return new Map((await tx.rows(selectBefore, [day])).map(({ queue, count }) => [queue, count]))
}
