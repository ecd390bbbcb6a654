/** Moments of the sandbox's clock at the close of a business day, when the service reviews accounts. */
import { addMarketDays, isMarketDay } from '@clearing/domain/market'
import { endOfBusinessDay, usualCloseTime } from '../../server/src/business-day/close-time.ts'
import type { RunningService } from './running-service.ts'

const minuteMs = 60_000

/** The close of the first business day on or after a day. */
export function closeFrom(day: string): Date {
  return endOfBusinessDay(isMarketDay(day) ? day : addMarketDays(day, 1), usualCloseTime)
}

/** Moves the clock past the close of the first business day on or after a day. */
export function goPastClose({ alpha }: RunningService, day: string) {
  return alpha.sandbox.setClock({ now: closeFrom(day).toISOString() })
}

/** Moves the clock to a minute before that close: all earlier business days are closed. */
export function goBeforeClose({ alpha }: RunningService, day: string) {
  return alpha.sandbox.setClock({ now: new Date(closeFrom(day).getTime() - minuteMs).toISOString() })
}
