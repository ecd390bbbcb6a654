/**
 * Closes the business day by the service's clock, where the setting CLOSE_AT says when. Every process may do it: closers of
 * one day take turns. Days that passed while no process ran are closed one after the other.
 */
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { readBusinessDay } from '../store/business-day.ts'
import { clearingFirmId } from '../store/firms.ts'
import { type Acceptance, countOpenLoads } from '../store/open-items.ts'
import type { BusinessDay } from './close-day.ts'
import { closeInTurn } from './close-in-turn.ts'
import { type CloseTime, endOfBusinessDay } from './close-time.ts'

const lookEveryMs = 10_000

export interface ScheduleSettings {
  readonly pool: Pool
  readonly clock: Clock
  readonly businessDay: BusinessDay
  readonly closeAt: CloseTime
  readonly log: Logger
  /** While true nothing is closed: a snapshot is being put back. */
  readonly held?: () => boolean
}

/** So long a load that runs at the end of a day holds up its close. */
const loadsWaitMaxMs = 3_600_000

const accepting: Acceptance = {
  reason: 'Closed by the clock (CLOSE_AT), whatever is open.',
  by: 'service',
  approvedBy: '',
}

/** Closes what is due; answers the days. What is open is noted, and holds up nothing but for loads that run. */
export async function closeDueDays(settings: ScheduleSettings): Promise<string[]> {
  const { pool, clock, businessDay, closeAt } = settings
  const closed: string[] = []
  for (;;) {
    const now = clock.now()
    const readOnly = { firm: null, readOnly: true, repeatable: true }
    const [date, { running }] = await inTransaction(pool, readOnly, (tx) =>
      Promise.all([readBusinessDay(tx, now), countOpenLoads(tx)]),
    )
    const end = endOfBusinessDay(date, closeAt)
    if (now < end || settings.held?.()) return closed
    if (running > 0n && now.getTime() < end.getTime() + loadsWaitMaxMs) return closed
    const request = { date, firmId: clearingFirmId, clientId: 'service', traceId: '', now, accepting }
    closed.push(await closeInTurn(businessDay, request))
  }
}

/** Looks now and then; answers how to stop. */
export function scheduleClose(settings: ScheduleSettings): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    running = closeDueDays(settings)
      .catch((fault) => settings.log.error({ err: fault }, 'the close of the business day'))
      .finally(() => {
        busy = false
      })
  }, lookEveryMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
