/**
 * get-report: figures by firm for the applications of a range of days: outcomes, reasons of rejection, and durations of
 * states.
 */
import { Rejected } from '../answers.ts'
import { readFirmFilter } from '../identity/firm-request.ts'
import { renderStateTime } from '../onboarding/render-state-time.ts'
import { checkDayRanges } from '../paging/check-day-ranges.ts'
import { reportOpenings, reportReasons, reportTimes } from '../store/overview.ts'
import type { Handler } from './context.ts'

export const getReport: Handler<'get-report'> = async (request, { tx }) => {
  const wrong = checkDayRanges(request, [['dateFrom', 'dateTo']])
  if (wrong.length > 0) return new Rejected(wrong)
  const firmId = readFirmFilter(request.firmId)
  if (firmId instanceof Rejected) return firmId
  const asked = { dateFrom: request.dateFrom, dateTo: request.dateTo, firmId }
  const [openings, reasons, times] = await Promise.all([
    reportOpenings(tx, asked),
    reportReasons(tx, asked),
    reportTimes(tx, asked),
  ])
  return {
    firms: openings.map((row) => {
      const [submitted, opened, rejected, failed] = [row.submitted, row.opened, row.rejected, row.failed].map(
        Number,
      ) as [number, number, number, number]
      return {
        firmId: row.firm_id,
        firmName: row.firm_name,
        submitted,
        opened,
        rejected,
        failed,
        waiting: submitted - opened - rejected - failed,
        askedBack: Number(row.asked_back),
        reasons: reasons
          .filter((each) => each.firm_id === row.firm_id)
          .map(({ reason, count }) => ({ reason, count: Number(count) })),
        timeInState: times.filter((each) => each.firm_id === row.firm_id).map(renderStateTime),
      }
    }),
  }
}
