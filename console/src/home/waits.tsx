/** The queues with waiting items, with the change since the day before. */
import { Link } from '@tanstack/react-router'
import type { Answered } from '../client.ts'
import { renderCount } from '../design/count.ts'
import { Panel } from '../design/panel.tsx'
import { Empty } from '../design/states.tsx'
import { Age } from '../design/time.tsx'
import { queueOf } from '../work/queues.ts'

type Queue = Answered<'get-overview'>['queues'][number]

export function Waits({ queues }: { readonly queues: readonly Queue[] }) {
  const waiting = queues.filter(({ count }) => count > 0)
  return (
    <Panel title="Waits" flush acts={<Link to="/work">Inbox</Link>}>
      {waiting.length === 0 ? (
        <Empty what="Nothing waits." />
      ) : (
        <ul className="waits" aria-label="Queues of work">
          {waiting.map(({ queue, count, countBefore, oldestOn, unassigned }) => (
            <li key={queue}>
              <Link to="/work" search={() => ({ queue })}>
                {queueOf(queue).label}
              </Link>
              <span className="quiet">
                {renderCount(unassigned)} unassigned
                {oldestOn !== null && (
                  <>
                    , oldest <Age since={oldestOn} />
                  </>
                )}
              </span>
              <Change count={count} before={countBefore} />
              <strong>{renderCount(count)}</strong>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** An increase is marked; a decrease is not. */
function Change({ count, before }: { readonly count: number; readonly before: number | null }) {
  if (before === null || before === count)
    return <span className="quiet">{before === null ? '' : 'unchanged since yesterday'}</span>
  const more = count > before
  return (
    <span className={more ? 'changed' : 'quiet'}>
      {more ? '+' : '−'}
      {renderCount(Math.abs(count - before))} since yesterday
    </span>
  )
}
