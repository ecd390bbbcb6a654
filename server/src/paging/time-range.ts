/** The range of time of a request: from one instant to another, both optional. */
import { parseInstant, type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'

interface AskedRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface TimeRange {
  readonly from: Date | undefined
  readonly to: Date | undefined
}

export function readTimeRange({ from, to }: AskedRange): TimeRange | Rejected {
  const range = { from: instantOf(from), to: instantOf(to) }
  const rejections: Rejection[] = []
  for (const [field, given] of Object.entries({ from, to })) {
    if (given !== undefined && parseInstant(given) === undefined)
      rejections.push(reject('ERR.1024', field, 'The time must be in the form 2026-01-31T14:30:00Z.'))
  }
  if (range.from !== undefined && range.to !== undefined && range.from > range.to)
    rejections.push(reject('ERR.1025', 'from', 'from must not be after to.'))
  return rejections.length > 0 ? new Rejected(rejections) : range
}

function instantOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : parseInstant(text)
}
