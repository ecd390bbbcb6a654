/**
 * get-overview: the state of the day: counts of work by queue and age, the business day, the states of
 * applications, and the health of the service.
 */
import type { Data } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { readFirmFilter } from '../identity/firm-request.ts'
import { renderStateTime } from '../onboarding/render-state-time.ts'
import { easternDay } from '../store/books/calendar.ts'
import { closeSteps, readBusinessDay } from '../store/business-day.ts'
import { readOpenings } from '../store/openings.ts'
import { type CloseRow, readHealth, readLastCloses } from '../store/overview.ts'
import { readQueuesBefore } from '../store/queue-days.ts'
import { countQueues, type QueueCount } from '../store/work.ts'
import type { Handler } from './context.ts'

type Overview = Data<'get-overview'>

const windowMs = 30 * 86_400_000

export const getOverview: Handler<'get-overview'> = async (request, { tx, now, caller, parts }) => {
  const firmId = readFirmFilter(request.firmId)
  if (firmId instanceof Rejected) return firmId
  const one = firmId ?? null
  const [businessDate, closes, counts, before, openings, times, health] = await Promise.all([
    readBusinessDay(tx, now),
    readLastCloses(tx),
    countQueues(tx, { firmId, me: caller.clientId, now }),
    readQueuesBefore(tx, easternDay(now)),
    readOpenings(tx, easternDay(now), one),
    parts.timeInState.read(tx, new Date(now.getTime() - windowMs), one),
    readHealth(tx),
  ])
  const closing = closes.find(({ closed_at }) => closed_at === null)
  const closed = closes.find(({ closed_at }) => closed_at !== null)
  const waitedMs =
    health.oldest_job === null ? 0 : parts.identity.now().getTime() - Date.parse(health.oldest_job)
  return {
    businessDate,
    closing: closing ? renderClose(closing) : null,
    lastClose: closed ? renderClose(closed) : null,
    queues: counts.map((row) => renderCount(row, firmId === undefined ? before.get(row.queue) : undefined)),
    funnel: openings.funnel.map(({ state, count }) => ({ state, count: Number(count) })),
    timeInState: times.map(renderStateTime),
    days: openings.days.map(({ date, submitted, opened, rejected }) => ({
      date,
      submitted: Number(submitted),
      opened: Number(opened),
      rejected: Number(rejected),
    })),
    health: {
      jobsWaiting: Number(health.jobs_waiting),
      jobsFailed: Number(health.jobs_failed),
      oldestJobSeconds: Math.max(0, Math.round(waitedMs / 1_000)),
      deliveriesWaiting: Number(health.deliveries_waiting),
      deliveriesFailed: Number(health.deliveries_failed),
      loadsRunning: Number(health.loads_running),
    },
  }
}

function renderCount(row: QueueCount, before: bigint | undefined): Overview['queues'][number] {
  return {
    queue: row.queue,
    count: Number(row.count),
    unassigned: Number(row.unassigned),
    mine: Number(row.mine),
    oldestOn: row.oldest,
    countBefore: before === undefined ? null : Number(before),
    ages: {
      day: Number(row.day),
      threeDays: Number(row.three_days),
      week: Number(row.week),
      older: Number(row.older),
    },
  }
}

function renderClose(row: CloseRow): NonNullable<Overview['lastClose']> {
  const at = row.step === 'Closed' ? closeSteps.length : closeSteps.indexOf(row.step as never)
  return {
    closedDate: row.close_date,
    step: row.step,
    accounts: Number(row.accounts),
    positions: Number(row.positions),
    callsIssued: Number(row.calls_issued),
    callsMet: Number(row.calls_met),
    startedOn: row.started_at,
    closedOn: row.closed_at,
    steps: closeSteps.map((step, index) => ({
      step,
      state: index < at ? 'Done' : index === at ? 'Running' : 'Waiting',
      durationMs: Math.round(row.durations[step] ?? 0),
    })),
    checklist: [...(row.checklist ?? [])],
    acceptedOpen: row.accepted,
  }
}
