/** Closes a business day whose open items a second person must accept. The close follows the approval. */
import { type Rejection, reject } from '@clearing/protocol'
import { needsSecondPerson, withExamples } from '../business-day/checklist.ts'
import type { BusinessDay } from '../business-day/close-day.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { easternDay } from '../store/books/calendar.ts'
import { readBusinessDay, readUnfinishedClose } from '../store/business-day.ts'
import type { StoredChange } from '../store/changes.ts'
import { queue } from '../store/jobs.ts'
import { type CheckItem, readAcceptance, writeAcceptance } from '../store/open-items.ts'
import { askForChange, subjectsToApprove } from './ask-for-change.ts'

/** The job that closes a day after its approval. */
export const closeTask = 'close-business-day'

export interface ClosePayload {
  readonly date: string
  readonly by: string
  readonly traceId: string
}

export interface CloseDayRequest {
  readonly date: string
  readonly reason: string
}

export interface AskedToClose {
  readonly day: string
  readonly checklist: readonly CheckItem[]
  readonly change: StoredChange
}

/**
 * Requests the acceptance of a second person if the open day needs one. Returns undefined if the caller may close the
 * day, or if it cannot be closed yet.
 */
export async function askToClose(
  context: FirmContext,
  businessDay: BusinessDay,
  { date, reason }: { readonly date: string | undefined; readonly reason: string },
): Promise<AskedToClose | undefined> {
  const { tx, now } = context
  const subjects = subjectsToApprove(context, ['DayClose'])
  if (subjects.length === 0) return undefined
  const [day, unfinished] = await Promise.all([readBusinessDay(tx, now), readUnfinishedClose(tx)])
  if (unfinished !== undefined || (date !== undefined && date !== day) || day > easternDay(now))
    return undefined
  const checklist = (await businessDay.checklist(day, now)).map(withExamples)
  if (!needsSecondPerson(checklist, businessDay.checks)) return undefined
  if ((await readAcceptance(tx, day)) !== undefined) return undefined
  const change = askForChange(context, {
    operation: 'close-business-day',
    accountNumber: '',
    subjects,
    request: { date: day, reason },
    fields: [
      { field: 'businessDate', before: day, after: 'closed' },
      ...checklist
        .filter(({ open }) => open)
        .map(({ item, severity, count, detail }) => ({
          field: severity === null ? item : `${item} (${severity})`,
          before: `${count}${detail && `: ${detail}`}`,
          after: 'accepted',
        })),
    ],
    reason,
  })
  return { day, checklist, change }
}

/** The effect of the approval: a job closes the day, because the close may take minutes. */
export async function closeWhenApproved(
  { date, reason }: CloseDayRequest,
  { tx, now, caller, traceId }: FirmContext,
  change: StoredChange,
): Promise<readonly Rejection[]> {
  const [day, unfinished] = await Promise.all([readBusinessDay(tx, now), readUnfinishedClose(tx)])
  if (day !== date || unfinished !== undefined)
    return [reject('ERR.2010', 'changeId', `${date} is no longer open.`)]
  writeAcceptance(tx, date, { reason, by: change.requested_by, approvedBy: caller.clientId }, now)
  const payload: ClosePayload = { date, by: caller.clientId, traceId }
  queue(tx, { task: closeTask, payload, key: `${closeTask} ${date}`, due: null })
  return []
}
