/** Finds where a reader continues whose position is of a line that a restore of the database has ended. */
import { confirmed, statement } from '../database/statement.ts'
import { partingOf } from './event-lines.ts'
import type { LogPosition, ReadRows } from './event-log.ts'

const selectKept = confirmed(
  statement<{ transaction: string; line: number }>(
    'select-last-place-of-kept-events',
    `select coalesce(nullif(${partingOf('$1::integer')}, '0'), last.parted_at)::text as transaction, last.mark as line
     from clearing.event_line as last order by number desc limit 1`,
  ),
)

/** Where a reader of a lost line continues: before the first event that the current line does not share with it. */
export async function findKeptPosition(rows: ReadRows, { line }: LogPosition): Promise<LogPosition> {
  const [found] = await rows(selectKept, [line])
  if (found === undefined) throw new Error('the event log has no line')
  return { transaction: BigInt(found.transaction), position: 0n, line: found.line }
}
