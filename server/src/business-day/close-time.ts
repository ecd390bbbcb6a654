/** The end of a business day: an hour in US Eastern time, with the offset of that day. */

/** `18:00`: hours and minutes of US Eastern time. */
export type CloseTime = string

export const usualCloseTime: CloseTime = '18:00'

const inNewYork = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'America/New_York',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** The time at which a day (`yyyy-MM-dd`) ends. */
export function endOfBusinessDay(day: string, time: CloseTime): Date {
  const inSummer = new Date(`${day}T${time}:00-04:00`)
  return inNewYork.format(inSummer) === time ? inSummer : new Date(`${day}T${time}:00-05:00`)
}
