/** set-clock: moves the sandbox's clock forward to an instant. */
import { limits, parseInstant, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { moveClock } from '../sandbox/clock-request.ts'
import type { Handler } from './context.ts'

const dayMs = 86_400_000

export const setClock: Handler<'set-clock'> = async (request, context) => {
  const to = parseInstant(request.now)
  if (to === undefined) {
    const reason = 'The instant must be ISO 8601 with its offset, such as 2027-01-04T15:00:00Z.'
    return new Rejected([reject('ERR.1016', 'now', reason)])
  }
  if (to.getTime() - context.now.getTime() > limits.sandboxAdvanceDaysMax * dayMs) {
    const reason = `The clock can be advanced by ${limits.sandboxAdvanceDaysMax} days at most.`
    return new Rejected([reject('ERR.1015', 'now', reason)])
  }
  return moveClock('set-clock', context, 'now', { to: () => to })
}
