/**
 * The service's time. A sandbox's clock can be set, and a browser's clock can be wrong, so ages and days use the
 * service's clock. Its days are those of New York, as in the books.
 */
import { shareValue } from '../shared-value.ts'

const sameWithinMs = 2_000
const dayMs = 86_400_000
let current = 0
/** The difference between the service's clock and the browser's. */
const aheadMs = shareValue(0)

export function setServiceTime(now: string): void {
  const ahead = Date.parse(now) - Date.now()
  if (Number.isNaN(ahead) || Math.abs(ahead - current) < sameWithinMs) return
  current = ahead
  aheadMs.set(ahead)
}

/** The service's time in milliseconds since 1970. The screen is rendered again when its clock is set. */
export function useServiceNow(): number {
  return Date.now() + aheadMs.use()
}

const inNewYork = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' })

/** The service's day, YYYY-MM-DD. */
export function useToday(): string {
  return inNewYork.format(useServiceNow())
}

/** So many days before a day. */
export function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - count * dayMs).toISOString().slice(0, 10)
}
