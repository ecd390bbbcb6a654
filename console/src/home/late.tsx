/** Late items, the longest delay first, with their owner and a button to claim them. */
import { type CodeOf, type StaffRole, whyNotTake } from '@clearing/protocol'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ActButton } from '../act/act-button.tsx'
import { useIsLeft } from '../act/is-left.ts'
import { useGoTo } from '../address.ts'
import { Button } from '../design/button.tsx'
import { renderCount } from '../design/count.ts'
import { Panel } from '../design/panel.tsx'
import { Empty } from '../design/states.tsx'
import { Age, Due } from '../design/time.tsx'
import { useWrite } from '../reads.ts'
import { useSession } from '../session/session.ts'
import { tellClaimed } from '../work/claimed.ts'
import { isDueOnDay, placeOf, queueOf, subjectOf, type Work } from '../work/queues.ts'
import { tellFault } from '../work/refused.ts'

interface LateProps {
  readonly work: readonly Work[]
  readonly total: number
}

export function Late({ work, total }: LateProps) {
  return (
    <Panel
      title="Late"
      note={total > work.length ? `the oldest ${work.length} of ${renderCount(total)}` : undefined}
      flush
      acts={
        total > work.length && (
          <Link to="/work" search={() => ({ waiting: 'late' })}>
            All late items
          </Link>
        )
      }
    >
      {work.length === 0 ? (
        <Empty what="Nothing is late." hint="Past its due time, or waiting for more than a market day." />
      ) : (
        <Items label="Late" work={work.toSorted((one, other) => lateSince(one) - lateSince(other))} />
      )}
    </Panel>
  )
}

const dayMs = 86_400_000

/** When an item became late, in milliseconds since 1970. Without a due time it is late after about a day. */
function lateSince({ queue, dueBy, since }: Work): number {
  if (dueBy === null) return Date.parse(since) + dayMs
  return Date.parse(dueBy) + (isDueOnDay(queue) ? dayMs : 0)
}

export function Items({ label, work }: { readonly label: string; readonly work: readonly Work[] }) {
  return (
    <ul className="items" aria-label={label}>
      {work.map((item) => (
        <Item key={item.workId} item={item} />
      ))}
    </ul>
  )
}

function Item({ item }: { readonly item: Work }) {
  const goTo = useGoTo()
  const { queue, accountNumber, accountName, firmName, since, dueBy, assignedTo } = item
  const { to, search } = placeOf(item)
  return (
    <li>
      <div>
        <Link to={to} search={() => search}>
          {subjectOf(item)}
        </Link>
        <div className="quiet">
          {[queueOf(queue).label, accountNumber, accountName || firmName]
            .filter((part) => part !== '')
            .join(' · ')}
        </div>
      </div>
      <div className="right">
        {dueBy === null ? (
          <>
            <span className="quiet">waits </span>
            <Age since={since} />
          </>
        ) : (
          <Due by={dueBy} isWholeDay={isDueOnDay(queue)} />
        )}
        <div className="quiet">{assignedTo || 'nobody has it'}</div>
      </div>
      <Take item={item} onOpen={() => goTo(to, search)} />
    </li>
  )
}

/** Claims and opens the item; a claimed item is only opened. */
function Take({ item, onOpen }: { readonly item: Work; readonly onOpen: () => void }) {
  const claim = useWrite('claim-work')
  const isLeft = useIsLeft()
  const queries = useQueryClient()
  const { email, role } = useSession()
  const of = [subjectOf(item), item.accountNumber, item.accountName].filter((part) => part !== '').join(', ')
  if (item.assignedTo !== '')
    return (
      <Button variant="default" aria-description={of} onClick={onOpen}>
        {item.assignedTo === email ? 'Go on' : 'Open'}
      </Button>
    )
  return (
    <ActButton
      operation="claim-work"
      variant="default"
      of={of}
      notNow={whyNotTake(role as StaffRole, item.queue as CodeOf<'workQueue'>)}
      loading={claim.isPending}
      onAct={() =>
        void claim.mutateAsync({ workIds: [item.workId] }).then(({ data }) => {
          tellClaimed(data, [item], () => void queries.invalidateQueries())
          if (data.refused.length === 0 && !isLeft.current) onOpen()
        }, tellFault)
      }
    >
      Claim
    </ActButton>
  )
}
