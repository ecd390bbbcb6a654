/** close-checklist: the findings that a close of the open business day would have now. */
import { needsSecondPerson, openItems } from '../business-day/checklist.ts'
import { easternDay } from '../store/books/calendar.ts'
import { readBusinessDay } from '../store/business-day.ts'
import type { Handler } from './context.ts'

export const closeChecklist: Handler<'close-checklist'> = async (_request, { tx, now, parts }) => {
  const { businessDay } = parts
  const businessDate = await readBusinessDay(tx, now)
  const checklist = await businessDay.checklist(businessDate, now)
  return {
    businessDate,
    hasCome: businessDate <= easternDay(now),
    checklist: [...checklist],
    open: openItems(checklist).length,
    secondPerson: needsSecondPerson(checklist, businessDay.checks),
  }
}
