/** The view of the books that a read takes: its day, and the time up to which facts are known. */
import { date, knownAt, optional } from './field.ts'

/** Like `asOf`, with a description of the data that the operation returns. */
export function asOfOf(returns: string) {
  return optional(
    date({
      description: `${returns} (Extension). A day that was closed in this service is returned as it was known at its close. A day after the business date means the business date.`,
    }),
  )
}

export const known = optional(
  knownAt({
    description:
      'Returns what was known at the close of this day, or what is known `now` (Extension). The default is the close of `asOf` if that day is closed, otherwise `now`. A day after the business date and after today (UTC) is rejected.',
  }),
)

export const view = { asOf: asOfOf('Returns positions and values as of the end of this day'), knownAt: known }
