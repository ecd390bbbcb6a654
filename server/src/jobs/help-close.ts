/**
 * Takes portions of a close that another process has begun. While the close runs the job is queued again, so
 * that each process joins in turn.
 */
import type { BusinessDay } from '../business-day/close-day.ts'
import { type HelpPayload, queueHelp } from '../business-day/queue-help.ts'
import type { Clock } from '../clock.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { readUnfinishedClose } from '../store/business-day.ts'

const againAfterMs = 1_000

export async function helpClose(
  payload: HelpPayload,
  pool: Pool,
  { businessDay, clock }: { readonly businessDay: BusinessDay; readonly clock: Clock },
): Promise<void> {
  const { date, at, ...behalf } = payload
  const runs = await inTransaction(pool, { firm: null, repeatable: true }, async (tx) => {
    const unfinished = await readUnfinishedClose(tx)
    if (unfinished?.closeDate !== date) return false
    queueHelp(tx, payload, new Date(clock.now().getTime() + againAfterMs))
    return true
  })
  if (runs && !businessDay.isClosing(date)) await businessDay.close({ ...behalf, date, now: new Date(at) })
}
