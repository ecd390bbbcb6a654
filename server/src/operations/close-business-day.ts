/** close-business-day: closes the open day, or answers what came of a close that was made. */
import { reject } from '@clearing/protocol'
import { type Handler, Rejected } from '../context.ts'
import { closeSteps } from '../store/business-day.ts'
import { whileAlive } from './while-alive.ts'
import { within } from './within.ts'

/** A close that takes longer is gone on with when the caller asks again; shorter than any operation may take. */
const answerWithinMs = 25_000
const retryAfterSeconds = 2

const goesOn = reject('ERR.2009', '', 'The close goes on; send the same request again for its result.')

export const closeBusinessDay: Handler<'close-business-day'> = async ({ date }, context) => {
  const { tx, parts, firm, caller, traceId, now } = context
  const closing = parts.businessDay.close({
    date,
    firmId: firm.firmId,
    clientId: caller.clientId,
    traceId,
    now,
  })
  const outcome = await whileAlive(tx, within(closing, answerWithinMs))
  if (outcome === undefined) return new Rejected([goesOn], undefined, retryAfterSeconds)
  if (outcome.kind === 'notOpen') {
    const reason = `The open business day is ${outcome.openDay}.`
    return new Rejected([reject('ERR.1015', 'date', reason)])
  }
  const { day } = outcome
  return {
    closedDate: day.closeDate,
    businessDate: day.nextDate,
    accounts: day.accounts,
    positions: day.positions,
    callsIssued: day.callsIssued,
    callsMet: day.callsMet,
    seal: day.seal,
    steps: closeSteps.map((step) => ({ step, state: 'Done', durationMs: day.durations[step] ?? 0 })),
  }
}
