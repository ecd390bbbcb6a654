/** The day in one sentence, whose parts link to their subjects. */
import { Link } from '@tanstack/react-router'
import type { Answered } from '../client.ts'
import { countOf, renderCount, verbOf } from '../design/count.ts'
import { renderDay, renderTimeOf } from '../design/time.tsx'

export interface SentenceProps {
  readonly late: number | undefined
  readonly queues: Answered<'get-overview'>['queues'] | undefined
  readonly failures: Answered<'list-failures'>['failures'] | undefined
  readonly lastClose: Answered<'list-closes'>['closes'][number] | undefined
}

/** Empty until the figures are loaded. */
export function Sentence({ late, queues, failures, lastClose }: SentenceProps) {
  if (late === undefined || queues === undefined || failures === undefined) return null
  const waiting = queues.reduce((sum, { count }) => sum + count, 0)
  const broken = failures.reduce((sum, { count }) => sum + count, 0)
  return (
    <span className="sentence">
      <Link to="/work" search={() => ({ waiting: 'late' })} className={late > 0 ? 'late' : undefined}>
        {late === 0 ? 'Nothing is late' : `${countOf(late, 'item')} ${verbOf(late)} late`}
      </Link>
      ,{' '}
      <Link to="/work">
        {waiting === 0 ? 'nothing waits' : `${renderCount(waiting)} ${verbOf(waiting, 'waits', 'wait')}`}
      </Link>{' '}
      and{' '}
      <a href="#broke">
        {broken === 0 ? 'nothing is broken' : `${countOf(broken, 'failure')} ${verbOf(broken)} open`}
      </a>
      ;{' '}
      <Link to="/books/business-day">
        {lastClose === undefined
          ? 'no day was closed yet'
          : `${renderDay(lastClose.closedDate)} was closed at ${renderTimeOf(lastClose.closedOn, lastClose.closedDate)}`}
      </Link>
      .
    </span>
  )
}
