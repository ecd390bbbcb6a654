/**
 * The time by which work that cannot be undone is due: the clock of this process, unless it is ahead of the
 * database's. A machine whose clock is wrong must not close days or remove what others still need.
 */
import { type Clock, clockToleranceMs } from '../clock.ts'
import type { Pool } from '../database/pool.ts'
import { statement } from '../database/statement.ts'
import { readInFirm, type Tx } from '../database/transaction.ts'

const selectTime = statement<{ ms: number }>(
  'select-time-of-database',
  'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
)

export async function readAgreedTime(tx: Tx, clock: Clock): Promise<Date> {
  const [row] = await tx.rows(selectTime)
  const now = clock.now()
  if (row === undefined) return now
  const thereMs = row.ms + clock.aheadMs()
  return now.getTime() - thereMs > clockToleranceMs ? new Date(thereMs) : now
}

/** Returns the difference of the wall clocks of this process and of the database that is certain. */
export async function measureClockDifferenceMs(pool: Pool): Promise<number> {
  const askedMs = Date.now()
  const [row] = await readInFirm(pool, null, selectTime)
  const answeredMs = Date.now()
  // The clock of the database was read between the two times.
  return row === undefined ? 0 : Math.max(askedMs - row.ms, row.ms - answeredMs, 0)
}
