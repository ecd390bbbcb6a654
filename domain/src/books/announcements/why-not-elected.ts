/** What is wrong with the elections for a position. Books 10. */
import { type Rejection, reject } from '@clearing/protocol/values'
import { abs, type Decimal, renderDecimal, sum, ZERO } from '../../decimal.ts'
import type { Announcement, Election } from './announcement.ts'

/** Elections name options of the announcement, and no more shares than the position has. */
export function whyNotElected(
  { options }: Announcement,
  held: Decimal,
  elections: readonly Election[],
): Rejection[] {
  const codes = options.map(({ option }) => option)
  const rejections = elections.flatMap(({ option }, index) =>
    codes.includes(option)
      ? []
      : [reject('ERR.1015', `elections[${index}].option`, `option must be one of ${codes.join(', ')}.`)],
  )
  const wanted = sum(elections.map(({ quantity }) => quantity ?? ZERO))
  if (wanted > abs(held)) {
    const reason = `The elections are for ${renderDecimal(wanted)} shares, and the position has ${renderDecimal(abs(held))}.`
    rejections.push(reject('ERR.1015', 'elections', reason))
  }
  return rejections
}
