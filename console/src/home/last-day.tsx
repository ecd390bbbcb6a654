/**
 * The last business day: the time of its close, whether it ties out, and its openings compared with the median of
 * twenty days.
 */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Answered } from '../client.ts'
import { countOf, renderCount } from '../design/count.ts'
import { Facts } from '../design/facts.tsx'
import { Panel } from '../design/panel.tsx'
import { Empty } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Day, Time } from '../design/time.tsx'
import { ClosesChart } from './closes-chart.tsx'

export type Close = Answered<'list-closes'>['closes'][number]

const daysMin = 5
const closesShown = 20

export function LastDay({ closes }: { readonly closes: readonly Close[] }) {
  const [last, ...before] = closes
  return (
    <Panel title="Last business day" acts={<Link to="/books/business-day">Business day</Link>}>
      {last === undefined ? (
        <Empty what="No day has been closed yet." />
      ) : (
        <>
          <Facts
            facts={[
              ['Day', <Day key="day" on={last.closedDate} />],
              ['Closed', <Time key="closed" at={last.closedOn} />],
              ['Tie-out', <TieOut key="ties" close={last} />],
              ['Opened', besideMedian(last, before, ({ opened }) => opened)],
              ['Rejected', besideMedian(last, before, ({ rejected }) => rejected)],
              ['Margin calls', `${renderCount(last.callsIssued)} issued, ${renderCount(last.callsMet)} met`],
            ]}
          />
          <ClosesChart closes={closes.slice(0, closesShown)} />
        </>
      )}
    </Panel>
  )
}

function TieOut({ close: { acceptedOpen, provedOn } }: { readonly close: Close }) {
  return (
    <>
      {acceptedOpen ? (
        <Status of="Closed with open items" tone="attention" />
      ) : (
        <Status of="Sealed" tone="good" />
      )}
      <div className="quiet">
        {provedOn === null ? (
          'the proof runs at night'
        ) : (
          <>
            proved <Time at={provedOn} />
          </>
        )}
      </div>
    </>
  )
}

/** `12, median 9`: with the median of the previous days, if there are enough. */
function besideMedian(last: Close, before: readonly Close[], of: (close: Close) => number): ReactNode {
  const figures = before.map(of).sort((one, other) => one - other)
  const middle = figures[Math.floor(figures.length / 2)] ?? 0
  return (
    <>
      {renderCount(of(last))}
      {figures.length >= daysMin && (
        <span className="quiet">
          {' '}
          (median of {countOf(figures.length, 'day')}: {renderCount(middle)})
        </span>
      )}
    </>
  )
}
