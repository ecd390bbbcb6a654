/** Items of work that the service refused: another person was first, or a rule forbids it. */
import { CallFailed } from '@clearing/sdk'
import { countOf, verbOf } from '../design/count.ts'
import { plainFault } from '../design/fault.ts'
import { tell } from '../design/notices.tsx'
import { reasonInWords } from '../design/reasons.ts'
import { withTimes } from '../design/time.tsx'

/** All refusals in one notice. */
export function tellRefused(refused: readonly { readonly workId: string; readonly reason: string }[]) {
  const [first] = refused
  if (first === undefined) return
  tell({
    tone: 'bad',
    title: `${countOf(refused.length, 'item')} ${verbOf(refused.length, 'was', 'were')} refused`,
    message: [...new Set(refused.map(({ reason }) => reasonInWords(reason)))].join(' '),
  })
}

/** A failed call outside a form. */
export function tellFault(fault: unknown) {
  const { title, text = '' } = plainFault(fault)
  const reasons =
    fault instanceof CallFailed ? fault.rejections.map(({ reason }) => reasonInWords(reason)) : []
  tell({ tone: 'bad', title, message: withTimes([text, ...reasons].join(' ')) })
}
