/**
 * The hours in which accounts can be changed if the setting is on: 07:00 to 19:30 US Eastern on market days
 * (Reading 10).
 */
import { isMarketDay } from '@clearing/domain/market'
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { easternDay, easternTime } from '../store/books/calendar.ts'

const [opensAt, closesAt] = ['07:00', '19:30']
const minuteMs = 60_000
/** The search for the next opening ends after a week. The longest weekends have four days. */
const aheadMinutesMax = 7 * 24 * 60

function isOpen(at: Date): boolean {
  const time = easternTime(at)
  return time >= opensAt && time < closesAt && isMarketDay(easternDay(at))
}

/** The reason why an update is refused now; undefined if it is allowed. */
export function refuseOutsideHours(now: Date): Rejected | undefined {
  if (isOpen(now)) return undefined
  const next = new Date(Math.ceil(now.getTime() / minuteMs) * minuteMs)
  for (let minutes = 0; minutes < aheadMinutesMax && !isOpen(next); minutes += 15) {
    next.setTime(next.getTime() - (next.getTime() % (15 * minuteMs)) + 15 * minuteMs)
  }
  return new Rejected(
    [reject('ERR.1004', '', 'Accounts can be changed from 07:00 to 19:30 US Eastern on business days.')],
    undefined,
    Math.max(1, Math.ceil((next.getTime() - now.getTime()) / 1_000)),
  )
}
