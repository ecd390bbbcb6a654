/**
 * The notice of an action on items of work: how many were done, and which the service refused, with the reason. Another
 * person was first, or a rule forbids it.
 */
import { CallFailed } from '@clearing/sdk'
import { countOf, renderCount } from '../design/count.ts'
import { plainFault } from '../design/fault.ts'
import { type Notice, tell } from '../design/notices.tsx'
import { reasonInWords } from '../design/reasons.ts'
import { withTimes } from '../design/time.tsx'
import { type Described, subjectOf, type Work } from './queues.ts'

export interface Outcome {
  readonly taken: readonly string[]
  readonly refused: readonly { readonly workId: string; readonly reason: string }[]
}

type Named = Described & Pick<Work, 'workId' | 'accountNumber' | 'accountName'>

/** The most items that a notice names with the same reason. */
const namedMax = 5

/** The items that were not done, by reason. Undefined if all were done. */
export function refusalOf(
  { taken, refused }: Outcome,
  works: readonly Named[],
): Pick<Notice, 'tone' | 'message'> | undefined {
  if (refused.length === 0) return undefined
  const count = taken.length + refused.length
  const done =
    taken.length > 0
      ? `${renderCount(taken.length)} of ${countOf(count, 'item')} done.`
      : count > 1
        ? `None of ${countOf(count, 'item')} done.`
        : ''
  const byReason = Map.groupBy(refused, ({ reason }) => reason)
  const notDone = [...byReason].map(([reason, items]) => {
    const named = items.slice(0, namedMax).map(({ workId }) => nameOf(workId, works))
    const more = items.length - named.length
    return `${named.join(', ')}${more > 0 ? `, and ${renderCount(more)} more` : ''}: ${reasonInWords(reason)}`
  })
  return { tone: 'bad', message: [done, 'Not done:', notDone.join(' ')].filter(Boolean).join(' ') }
}

/** An account has at most one application. It may have several items of the other queues. */
function nameOf(workId: string, works: readonly Named[]): string {
  const work = works.find((one) => one.workId === workId)
  if (work === undefined) return workId
  const account = `${work.accountNumber} ${work.accountName}`.trim()
  if (account === '') return subjectOf(work)
  return work.queue === 'Application' ? account : `${account} (${subjectOf(work)})`
}

/** A failed call outside a form, with its own title or that of the failure. */
export function tellFault(fault: unknown, what?: string) {
  const { title, text = '' } = plainFault(fault)
  const reasons =
    fault instanceof CallFailed ? fault.rejections.map(({ reason }) => reasonInWords(reason)) : []
  const parts = [...(what === undefined || reasons.length > 0 ? [] : [title]), text, ...reasons]
  tell({
    tone: 'bad',
    title: what ?? title,
    message: withTimes(parts.filter((part) => part !== '').join(' ')),
  })
}
