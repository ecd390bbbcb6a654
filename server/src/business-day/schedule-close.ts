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

/** Closes what is due; answers the days. */
export const closeDueDays = async (settings: ScheduleSettings): Promise<string[]> => {
  const { pool, clock, businessDay, closeAt } = settings
  const closed: string[] = []
  for (;;) {
    const now = clock.now()
    const readOnly = { firm: null, readOnly: true, repeatable: true }
    const date = await inTransaction(pool, readOnly, (tx) => readBusinessDay(tx, now))
    if (now < endOfBusinessDay(date, closeAt) || settings.held?.()) return closed
    const request = { date, firmId: clearingFirmId, clientId: 'service', traceId: '', now }
    closed.push(await closeInTurn(businessDay, request))
  }
}

/** Looks now and then; answers how to stop. */
export const scheduleClose = (settings: ScheduleSettings): (() => Promise<void>) => {
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
