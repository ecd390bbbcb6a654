/** The ranges of days of a request, each from a first to a last day. */
import { type Rejection, reject } from '@clearing/protocol'

/**
 * The rejections of ranges whose first day is after their last, by the members that name both. A range without one of
 * them is open.
 */
export function checkDayRanges(
  request: object,
  ranges: readonly (readonly [from: string, to: string])[],
): Rejection[] {
  const given = request as Readonly<Record<string, string | undefined>>
  return ranges.flatMap(([from, to]) => {
    const [first, last] = [given[from], given[to]]
    return first && last && first > last ? [reject('ERR.1025', from, `${from} must not be after ${to}.`)] : []
  })
}
