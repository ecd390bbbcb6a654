/**
 * The queue beside an item that was opened from it, on a wide window, oldest first. Its items replace each other in the
 * browser's history.
 */
import { Kbd } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { useReplace } from '../address.ts'
import { renderCount } from '../design/count.ts'
import { Age, Due } from '../design/time.tsx'
import { eachOnce, useRead } from '../reads.ts'
import { useKeys } from './keys.ts'
import { isDueOnDay, placeOf, type QueueName, queueOf, subjectOf, type Work } from './queues.ts'

const shownMax = 50

function pathOf(work: Work) {
  return placeOf(work).to
}

export function QueueRail({ queue }: { readonly queue: QueueName }) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const { data } = useRead('list-work', { queues: [queue], size: shownMax, counted: true }, { keep: true })
  const replace = useReplace()
  // Several matches of one account are decided on one screen.
  const items = eachOnce(data?.work ?? [], pathOf)
  const at = items.findIndex((work) => pathOf(work) === path)
  const move = (by: number) => {
    const next = items[at < 0 ? 0 : at + by]
    if (next === undefined) return
    const { to, search } = placeOf(next)
    replace(to, search)
  }
  useKeys([
    { key: 'j', does: 'Next item of the queue', act: () => move(1) },
    { key: 'k', does: 'Item before', act: () => move(-1) },
  ])
  return (
    <nav className="panel rail" aria-label={queueOf(queue).label}>
      <header>
        <Link to="/work" search={() => ({ queue })}>
          {queueOf(queue).label}
        </Link>
        <span className="quiet">
          {renderCount(data?.total ?? items.length)} <Kbd size="xs">j</Kbd> <Kbd size="xs">k</Kbd>
        </span>
      </header>
      {data !== undefined && items.length === 0 && <p className="quiet">The queue is empty.</p>}
      <ul>
        {items.map((work) => (
          <Item key={work.workId} work={work} />
        ))}
      </ul>
    </nav>
  )
}

/** The link of the shown item is marked. */
function Item({ work }: { readonly work: Work }) {
  const { to, search } = placeOf(work)
  return (
    <li>
      <Link to={to} search={() => search} replace>
        <strong>{work.accountName || work.accountNumber || subjectOf(work)}</strong>
        <span className="quiet">{subjectOf(work)}</span>
        <span className="quiet">
          {work.dueBy === null ? (
            <Age since={work.since} />
          ) : (
            <Due by={work.dueBy} isWholeDay={isDueOnDay(work.queue)} />
          )}
          {work.assignedTo !== '' && ` · ${work.assignedTo}`}
        </span>
      </Link>
    </li>
  )
}
