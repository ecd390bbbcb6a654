/**
 * The day in one sentence, whose parts link to their subjects. Its counts are of the work that the role may claim.
 * Where they differ, those of all roles follow.
 */
import { Link } from '@tanstack/react-router'
import type { Filters } from '../address.ts'
import type { Answered } from '../client.ts'
import { countOf, renderCount, verbOf } from '../design/count.ts'
import { renderDay, renderTimeOf } from '../design/time.tsx'

export interface SentenceProps {
  /** The queues whose work the role may claim. */
  readonly own: readonly string[]
  readonly late: number | undefined
  readonly lateOfAll: number | undefined
  readonly queues: Answered<'get-overview'>['queues'] | undefined
  readonly failures: Answered<'list-failures'>['failures'] | undefined
  readonly lastClose: Answered<'list-closes'>['closes'][number] | undefined
}

/** Empty until the figures are loaded. */
export function Sentence({ own, late, lateOfAll, queues, failures, lastClose }: SentenceProps) {
  if (late === undefined || lateOfAll === undefined || queues === undefined || failures === undefined)
    return null
  const waiting = sumOf(queues.filter(({ queue }) => own.includes(queue)))
  const waitingOfAll = sumOf(queues)
  const broken = sumOf(failures)
  const isPart = late !== lateOfAll || waiting !== waitingOfAll
  const ofRole: Filters = isPart ? { queue: own.join(',') } : {}
  return (
    <span className="sentence">
      {isPart && 'For your role, '}
      <Link
        to="/work"
        search={() => ({ ...ofRole, waiting: 'late' })}
        className={late > 0 ? 'late' : undefined}
      >
        {late === 0
          ? `${isPart ? 'nothing' : 'Nothing'} is late`
          : `${countOf(late, 'item')} ${verbOf(late)} late`}
      </Link>
      <OfAll count={lateOfAll} isShown={late !== lateOfAll} inbox={{ waiting: 'late' }} /> and{' '}
      <Link to="/work" search={() => ofRole}>
        {waiting === 0 ? 'nothing waits' : `${renderCount(waiting)} ${verbOf(waiting, 'waits', 'wait')}`}
      </Link>
      <OfAll count={waitingOfAll} isShown={waiting !== waitingOfAll} inbox={{}} />;{' '}
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

function sumOf(parts: readonly { readonly count: number }[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0)
}

interface OfAllProps {
  readonly count: number
  readonly isShown: boolean
  readonly inbox: Filters
}

function OfAll({ count, isShown, inbox }: OfAllProps) {
  return (
    isShown && (
      <>
        {' '}
        (
        <Link to="/work" search={() => inbox}>
          {renderCount(count)} for all roles
        </Link>
        )
      </>
    )
  )
}
