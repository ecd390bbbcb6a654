/** advance-clock: advances the sandbox's clock by days or by a duration. */
import { limits, type Rejection, type Request, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { moveClock } from '../sandbox/clock-request.ts'
import type { Handler } from './context.ts'

const dayMs = 86_400_000
const durationForm =
  /^P(?=.)(?:(\d{1,3})W)?(?:(\d{1,3})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:[.,]\d{1,3})?)S)?)?$/i
const unitsMs = [7 * dayMs, dayMs, 3_600_000, 60_000, 1_000]

/** Milliseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds. */
function parseDuration(text: string): number | undefined {
  const parts = durationForm.exec(text.trim())?.slice(1)
  return parts?.reduce(
    (sum, part, at) => sum + Math.round(Number((part ?? '0').replace(',', '.')) * (unitsMs[at] ?? 0)),
    0,
  )
}

function readAdvance({ days, duration }: Request<'advance-clock'>): number | Rejection {
  if ((days === undefined) === (duration === undefined)) {
    return reject('ERR.1000', 'days', 'Exactly one of days and duration is required.')
  }
  if (days !== undefined) return days * dayMs
  const durationMs = parseDuration(duration ?? '')
  if (durationMs === undefined) {
    const reason =
      'The duration must be ISO 8601, of weeks, days, hours, minutes and seconds, such as P1DT12H.'
    return reject('ERR.1016', 'duration', reason)
  }
  if (durationMs <= limits.sandboxAdvanceDaysMax * dayMs) return durationMs
  return reject(
    'ERR.1015',
    'duration',
    `The clock can be advanced by ${limits.sandboxAdvanceDaysMax} days at most.`,
  )
}

export const advanceClock: Handler<'advance-clock'> = async (request, context) => {
  const durationMs = readAdvance(request)
  if (typeof durationMs === 'object') return new Rejected([durationMs])
  return moveClock('advance-clock', context, 'days', { to: (now) => new Date(now.getTime() + durationMs) })
}
