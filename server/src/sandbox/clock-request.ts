/** Requests that move the sandbox's clock, and the clock in the form of responses. */
import type { Data } from '@clearing/protocol'
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { inTransaction } from '../database/transaction.ts'
import { whileAlive } from '../database/while-alive.ts'
import { writeAudit } from '../store/audit.ts'
import { readBusinessDay } from '../store/business-day.ts'
import { within } from '../within.ts'
import { controlsOf, type SandboxContext } from './controls.ts'
import type { AdvanceRequest } from './move-clock.ts'

/** Less than the time limit of operations. */
const answerWithinMs = 25_000
const retryAfterSeconds = 2

/** Read outside the request's own transaction, which may have begun before the clock was moved. */
export async function renderClock(context: SandboxContext, now?: Date): Promise<Data<'get-clock'>> {
  const { clock } = controlsOf(context)
  const shown = now ?? clock.now()
  const businessDate = await inTransaction(context.parts.loads, { firm: null, readOnly: true }, (tx) =>
    readBusinessDay(tx, shown),
  )
  return {
    now: shown.toISOString(),
    frozen: clock.frozen,
    aheadSeconds: Math.round(clock.aheadMs() / 1_000),
    businessDate,
  }
}

/** Moves the clock to the time that `to` returns. Open items of days that end on the way may be accepted. */
export async function moveClock(
  action: string,
  context: SandboxContext,
  field: string,
  { to, accepting }: Pick<AdvanceRequest, 'to' | 'accepting'>,
): Promise<Data<'advance-clock'> | Rejected> {
  const { caller, firm, traceId, idempotencyKey, tx } = context
  const { mover } = controlsOf(context)
  const advancing = mover.advance({
    to,
    accepting,
    by: idempotencyKey === undefined ? '' : `${caller.clientId} ${idempotencyKey}`,
    firmId: firm.firmId,
    clientId: caller.clientId,
    traceId,
  })
  const outcome = await whileAlive(tx, within(advancing, answerWithinMs))
  if (outcome === undefined) {
    const reason =
      idempotencyKey === undefined
        ? 'The clock is being advanced. Call get-clock until it shows the new time: without an Idempotency-Key, the same request would advance the clock again.'
        : 'The clock is being advanced; send the same request with the same Idempotency-Key for its result.'
    return new Rejected([reject('ERR.2009', '', reason)], undefined, retryAfterSeconds)
  }
  switch (outcome.kind) {
    case 'backwards': {
      const reason = `The clock shows ${outcome.now.toISOString()} and cannot be set back; restore-snapshot and reset restore it together with all other state.`
      return new Rejected([reject('ERR.1015', field, reason)])
    }
    case 'busy': {
      const reason = `The clock is being advanced${outcome.to ? ` to ${outcome.to.toISOString()}` : ''}.`
      return new Rejected([reject('ERR.2009', '', reason)], undefined, retryAfterSeconds)
    }
    case 'restored': {
      const reason =
        'A snapshot was restored while the clock moved; the move ended, and its days do not count.'
      return new Rejected([reject('ERR.5003', '', reason)], undefined, retryAfterSeconds)
    }
    case 'stopped': {
      const reason =
        'The service stops, and the clock stands on its way. Send the same request with the same Idempotency-Key to continue.'
      return new Rejected([reject('ERR.5003', '', reason)], undefined, retryAfterSeconds)
    }
    case 'moved': {
      const { from, now, closedDays } = outcome.moved
      const changes = { from: from.toISOString(), now: now.toISOString(), closedDays }
      writeAudit({ ...context, now }, { action, changes })
      return {
        ...(await renderClock(context, now)),
        from: from.toISOString(),
        closedDays: [...closedDays],
      }
    }
    default:
      return outcome satisfies never
  }
}
