/** Queues the examination of announcements. The close of a business day examines them itself. */
import type { Tx } from '../../database/transaction.ts'
import { startOfEasternDay } from '../../store/books/calendar.ts'
import { queue } from '../../store/jobs.ts'

export const examineTask = 'examine-announcements'

/** At once, and at the beginning of the day on which lines are due, for books whose days are not closed. */
export function queueExamination(tx: Tx, now: Date, bookOn: string | undefined): void {
  queue(tx, { task: examineTask, payload: {}, key: examineTask, due: null })
  if (bookOn === undefined) return
  const due = startOfEasternDay(bookOn)
  if (due > now) queue(tx, { task: examineTask, payload: {}, key: `${examineTask} ${bookOn}`, due })
}
