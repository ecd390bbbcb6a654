/**
 * Closes the business day by the service's clock at the time of the setting CLOSE_AT, but not before the database's
 * clock has reached it. Every process may do
 * it, because closers of one day share its close. Days that passed while no process ran are closed in
 * sequence.
 */
import type { Logger } from 'pino'
import { serviceActor } from '../actor.ts'
import type { Clock } from '../clock.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { readAgreedTime } from '../store/agreed-time.ts'
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
  /** While true no day is closed, because a snapshot is being restored. */
  readonly held?: () => boolean
}

/** The time for which a running load delays the close at the end of a day. */
const loadsWaitMaxMs = 3_600_000

const accepting: Acceptance = {
  reason: 'Closed by the clock (CLOSE_AT) with all open items.',
  by: serviceActor,
  approvedBy: '',
}

/**
 * Closes the days that are due and returns them. Open items are recorded but do not delay the close, except for running
 * loads.
 */
export async function closeDueDays(settings: ScheduleSettings): Promise<string[]> {
  const { pool, clock, businessDay, closeAt } = settings
  const closed: string[] = []
  for (;;) {
    const readOnly = { firm: null, readOnly: true, repeatable: true }
    const { now, date, running } = await inTransaction(pool, readOnly, async (tx) => {
      const now = await readAgreedTime(tx, clock)
      const [date, { running }] = await Promise.all([readBusinessDay(tx, now), countOpenLoads(tx)])
      return { now, date, running }
    })
    const end = endOfBusinessDay(date, closeAt)
    if (now < end || settings.held?.()) return closed
    if (running > 0n && now.getTime() < end.getTime() + loadsWaitMaxMs) return closed
    const request = { date, firmId: clearingFirmId, clientId: serviceActor, traceId: '', now, accepting }
    closed.push(await closeInTurn(businessDay, request))
  }
}

/** Checks periodically. Returns a function that stops it. */
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
