/**
 * close-business-day: closes the open day, or returns the result of an earlier close. A person must accept
 * open items. As a control of the sandbox, it first moves the clock to the end of the day.
 */
import { type Data, type Rejection, reject } from '@clearing/protocol'
import { Answered, Rejected } from '../answers.ts'
import { describeItem, openItems } from '../business-day/checklist.ts'
import type { ClosedDay, CloseOutcome } from '../business-day/close-day.ts'
import { askToClose } from '../changes/close-day.ts'
import { renderChange } from '../changes/render-change.ts'
import { inTransaction } from '../database/transaction.ts'
import { whileAlive } from '../database/while-alive.ts'
import { moveClock } from '../sandbox/clock-request.ts'
import { controlsOf } from '../sandbox/controls.ts'
import { closeSteps, readBusinessDay, readUnfinishedClose } from '../store/business-day.ts'
import type { Acceptance, CheckItem } from '../store/open-items.ts'
import { within } from '../within.ts'
import type { Context, Handler } from './context.ts'

/**
 * The time for which one call works on a close; the caller resumes a longer close by calling again. Must be
 * shorter than the time limit of operations.
 */
const answerWithinMs = 25_000
const retryAfterSeconds = 2

const closeAwaitsApproval = 'The day is still open: the acceptance of its open items awaits a second person.'

const closeContinues = reject(
  'ERR.2009',
  '',
  'The close continues; send the same request again for its result.',
)

export const closeBusinessDay: Handler<'close-business-day'> = async ({ date, acceptOpen }, context) => {
  const { tx, parts, firm, caller, traceId, now, asControl } = context
  const accepting = acceptOpen && { reason: acceptOpen.reason, by: caller.clientId, approvedBy: '' }
  const asked =
    accepting && !asControl
      ? await askToClose(context, parts.businessDay, { date, reason: accepting.reason })
      : undefined
  if (asked !== undefined) return new Answered(renderWaiting(asked), { message: closeAwaitsApproval })
  const day = asControl ? await moveToEnd(date, accepting, context) : date
  if (day instanceof Rejected) return day
  const closing = parts.businessDay.close({
    date: day,
    firmId: firm.firmId,
    clientId: caller.clientId,
    traceId,
    now: asControl ? parts.clock.now() : now,
    accepting,
  })
  const outcome = await whileAlive(tx, within(closing, answerWithinMs))
  if (outcome === undefined) return new Rejected([closeContinues], undefined, retryAfterSeconds)
  return outcome.kind === 'closed' ? renderClosed(outcome.day) : new Rejected(whyNotClosed(outcome))
}

function whyNotClosed(outcome: Exclude<CloseOutcome, { kind: 'closed' }>): Rejection[] {
  switch (outcome.kind) {
    case 'notOpen':
      return [reject('ERR.1015', 'date', `The open business day is ${outcome.openDay}.`)]
    case 'notCome': {
      const { day, today } = outcome
      return [reject('ERR.2016', 'date', `${day} can be closed on that day; today is ${today}.`)]
    }
    case 'open':
      return whyOpen(outcome.checklist)
    default:
      return outcome satisfies never
  }
}

function whyOpen(checklist: readonly CheckItem[]): Rejection[] {
  return openItems(checklist).map((item) => reject('ERR.2017', 'acceptOpen', describeItem(item)))
}

/** Moves the sandbox's clock to the end of the open day, if the day can be closed then. Returns the day to close. */
async function moveToEnd(
  date: string | undefined,
  accepting: Acceptance | undefined,
  context: Context,
): Promise<string | Rejected | undefined> {
  const { parts } = context
  const { clock, businessDay } = parts
  const { mover } = controlsOf(context)
  const [day, unfinished] = await inTransaction(parts.loads, { firm: null, readOnly: true }, (tx) =>
    Promise.all([readBusinessDay(tx, clock.now()), readUnfinishedClose(tx)]),
  )
  const end = mover.endOf(day)
  // Without a date in the request it is this day, even if its close ends in the meantime.
  if (unfinished !== undefined) return date ?? unfinished.closeDate
  if ((date !== undefined && date !== day) || clock.now() >= end) return date
  const checklist = await businessDay.checklist(day, end)
  if (accepting === undefined && openItems(checklist).length > 0) return new Rejected(whyOpen(checklist))
  // Moving the clock past the end of the day closes it.
  const moved = await moveClock('close-business-day', context, 'date', {
    to: (now) => (now > end ? now : end),
    accepting,
  })
  if (moved instanceof Rejected) return moved
  // A request that is repeated with its key names the day that it closed the first time; the open day is a later one.
  return moved.closedDays.at(-1) ?? day
}

function renderClosed(day: ClosedDay): Data<'close-business-day'> {
  return {
    closedDate: day.closeDate,
    businessDate: day.nextDate,
    accounts: day.accounts,
    positions: day.positions,
    callsIssued: day.callsIssued,
    callsMet: day.callsMet,
    seal: day.seal,
    steps: closeSteps.map((step) => ({ step, state: 'Done', durationMs: day.durations[step] ?? 0 })),
    checklist: [...day.checklist],
    acceptedOpen: day.accepted,
    change: null,
  }
}

function renderWaiting({
  day,
  checklist,
  change,
}: NonNullable<Awaited<ReturnType<typeof askToClose>>>): Data<'close-business-day'> {
  return {
    closedDate: '',
    businessDate: day,
    accounts: 0,
    positions: 0,
    callsIssued: 0,
    callsMet: 0,
    seal: '',
    steps: [],
    checklist: [...checklist],
    acceptedOpen: null,
    change: renderChange(change),
  }
}
