/** Times in the viewer's zone with UTC beside them, days as days, and how long ago something was. */
import { Tooltip } from '@mantine/core'

const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export function renderAge(ms: number): string {
  if (ms < minuteMs) return 'now'
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`
  if (ms < 2 * dayMs) return `${Math.floor(ms / hourMs)} h`
  return `${Math.floor(ms / dayMs)} d`
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

/** A day without a time, YYYY-MM-DD. */
export function Day({ on }: { readonly on: string | null | undefined }) {
  const time = on ? new Date(`${on.slice(0, 10)}T00:00:00Z`) : undefined
  if (time === undefined || Number.isNaN(time.getTime())) return <span className="quiet">{on || 'none'}</span>
  return <time dateTime={on?.slice(0, 10)}>{day.format(time)}</time>
}

/** How old something is, by a clock. */
export function Age({ since, now = Date.now() }: { readonly since: string; readonly now?: number }) {
  return (
    <Tooltip label={`since ${shown.format(new Date(since))}`}>
      <span>{renderAge(now - Date.parse(since))}</span>
    </Tooltip>
  )
}
