/** Which view of the books a read takes: the day that it is of, and what is known in it. */
import { date, knownAt, optional } from './field.ts'

/** As `asOf`, with what the operation returns. */
export function asOfOf(returns: string) {
  return optional(
    date({
      description: `${returns} (Extension). A day that was closed in this service is returned as it was known at its close.`,
    }),
  )
}

export const known = optional(
  knownAt({
    description:
      'Returns what was known at the close of this day, or what is known `now` (Extension). The default is the close of `asOf` if that day is closed, else `now`. A day after the business date and after today (UTC) is rejected.',
  }),
)

export const view = { asOf: asOfOf('Returns positions and values as of the end of this day'), knownAt: known }
