/** Times in the viewer's named zone with UTC beside them, days, and ages, in one format everywhere. */
import { Tooltip } from '@mantine/core'
import { useServiceNow } from './service-clock.ts'

// The month is a word, so that a day cannot be read as a month.
const shown = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
})
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export function renderAge(ms: number): string {
  if (ms < minuteMs) return 'now'
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`
  if (ms < 2 * dayMs) return `${Math.floor(ms / hourMs)} h`
  return `${Math.floor(ms / dayMs)} d`
}

/** `Nov 22, 2026, 14:03:05 EST`; the text itself if it is no time. */
export function renderTime(at: string): string {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? at : shown.format(time)
}

const clock = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
})

/** `14:03 EST`, for an instant on a day that is shown beside it; the text itself if it is no time. */
function renderClock(at: string): string {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? at : clock.format(time)
}

const dayHere = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short' })

/** The time alone if the viewer's day is the given one, as in New York; otherwise with the viewer's day. */
export function renderTimeOf(at: string, on: string): string {
  const time = new Date(at)
  if (Number.isNaN(time.getTime()) || dayHere.format(time) === on.slice(0, 10)) return renderClock(at)
  return `${clock.format(time)} of ${dayInZone.format(time)}`
}

const dayInZone = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })

/** The viewer's day of an instant: `Nov 22, 2026`. */
export function renderDayOf(at: string): string {
  return dayInZone.format(new Date(at))
}

/** `Nov 22, 2026`; the text itself if it is no day. */
export function renderDay(on: string): string {
  const time = new Date(`${on.slice(0, 10)}T00:00:00Z`)
  return Number.isNaN(time.getTime()) ? on : day.format(time)
}

const easternHour = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  timeZoneName: 'longOffset',
})

/** `11/22/2026 14:03:05` of a document, in US Eastern time, as an instant; undefined for any other text. */
export function readEastern(text: string): string | undefined {
  const [, month, date, year, time] = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d:\d\d)$/.exec(text) ?? []
  if (time === undefined) return undefined
  const winter = new Date(`${year}-${month}-${date}T${time}-05:00`)
  const offset = /[+-]\d\d:\d\d/.exec(easternHour.format(winter))?.[0] ?? '-05:00'
  return new Date(`${year}-${month}-${date}T${time}${offset}`).toISOString()
}

const instants = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/g

/** A sentence of the service with its times in the format of the console. */
export function withTimes(text: string): string {
  return text.replace(instants, renderTime)
}

/** Not a part of an identifier. */
const days = /(?<![\w-])\d{4}-\d\d-\d\d(?![\w-])/g

/** A sentence with its days in the format of the console. */
export function withDays(text: string): string {
  return text.replace(days, renderDay)
}

/** An instant, ISO 8601. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  const time = at ? new Date(at) : undefined
  if (time === undefined || Number.isNaN(time.getTime())) return <span className="quiet">never</span>
  return (
    <Tooltip label={`${time.toISOString().replace('T', ' ').slice(0, 19)} UTC`}>
      <time dateTime={time.toISOString()}>{shown.format(time)}</time>
    </Tooltip>
  )
}

const newYorkDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'America/New_York' })

/** The calendar day of an instant in New York; pointing at it shows the time. */
export function DayOf({ at }: { readonly at: string }) {
  const time = new Date(at)
  return (
    <Tooltip label={renderTime(at)}>
      <time dateTime={time.toISOString()}>{newYorkDay.format(time)}</time>
    </Tooltip>
  )
}

/** A day without a time, YYYY-MM-DD. */
export function Day({ on }: { readonly on: string | null | undefined }) {
  const time = on ? new Date(`${on.slice(0, 10)}T00:00:00Z`) : undefined
  if (time === undefined || Number.isNaN(time.getTime())) return <span className="quiet">{on || 'none'}</span>
  return <time dateTime={on?.slice(0, 10)}>{day.format(time)}</time>
}

/** The age of something by the service's clock. */
export function Age({ since }: { readonly since: string }) {
  const now = useServiceNow()
  return (
    <Tooltip label={`since ${shown.format(new Date(since))}`}>
      <span>{renderAge(now - Date.parse(since))}</span>
    </Tooltip>
  )
}

export interface DueProps {
  /** An instant, or the beginning of a due day. */
  readonly by: string
  /** Whether it is due at the end of the day. */
  readonly isWholeDay: boolean
}

/** The time until something is due, by the service's clock; late items stand out. */
export function Due({ by, isWholeDay }: DueProps) {
  const left = Date.parse(by) + (isWholeDay ? dayMs : 0) - useServiceNow()
  return (
    <Tooltip label={isWholeDay ? `due on ${renderDay(by)}` : `due by ${renderTime(by)}`}>
      <span className={left < 0 ? 'late' : undefined}>{renderDue(left)}</span>
    </Tooltip>
  )
}

function renderDue(left: number): string {
  if (Math.abs(left) < minuteMs) return 'now'
  return left < 0 ? `${renderAge(-left)} late` : `in ${renderAge(left)}`
}
