/** The business date and the last day that the books can have. */
import { useToday } from '../design/service-clock.ts'
import { useRead } from '../reads.ts'

/** The business date is empty as long as it is not read. After a close in the evening it is after today. */
export function useBookDays(): { readonly businessDate: string; readonly latestDay: string } {
  const today = useToday()
  const businessDate = useRead('get-overview', {}).data?.businessDate ?? ''
  return { businessDate, latestDay: businessDate > today ? businessDate : today }
}
