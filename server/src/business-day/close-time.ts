/** The end of a business day: an hour in US Eastern time, with the offset of that day. */
import { easternTime } from '../store/books/calendar.ts'

/** `18:00`: hours and minutes of US Eastern time. */
export type CloseTime = string

export const usualCloseTime: CloseTime = '18:00'

/** The time at which a day (`yyyy-MM-dd`) ends. */
export function endOfBusinessDay(day: string, time: CloseTime): Date {
  const inSummer = new Date(`${day}T${time}:00-04:00`)
  return easternTime(inSummer) === time ? inSummer : new Date(`${day}T${time}:00-05:00`)
}
