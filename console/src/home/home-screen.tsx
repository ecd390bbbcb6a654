/** The state of the house at a glance: what waits and how long, how accounts come in, the business day, the health of the service. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Answered } from '../client.ts'
import { Bars } from '../design/bars.tsx'
import { renderCount } from '../design/count.ts'
import { Facts } from '../design/facts.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Age, Day, renderAge, Time } from '../design/time.tsx'
import { useRead } from '../reads.ts'
import { queueOf } from '../work/queues.ts'
import { Intake } from './intake.tsx'

type Overview = Answered<'get-overview'>
const readyEveryMs = 30_000

export function HomeScreen() {
  const overview = useRead('get-overview', {})
  return (
    <Page title="Home">
      <Shown read={overview} rows={8}>
        {(data) => (
          <>
            <Queues queues={data.queues} />
            <div className="columns">
              <Panel title="Opening funnel" note="applications now, by state">
                <Bars bars={data.funnel.map(({ state, count }) => ({ label: state, value: count }))} />
              </Panel>
              <Panel title="Intake" note="applications a day">
                <Intake days={data.days} />
              </Panel>
              <BusinessDay overview={data} />
              <Health health={data.health} />
            </div>
            <TimeInState rows={data.timeInState} />
          </>
        )}
      </Shown>
    </Page>
  )
}

const ages = [
  ['day', 'up to a day'],
  ['threeDays', 'up to three days'],
  ['week', 'up to a week'],
  ['older', 'older'],
] as const

function Queues({ queues }: { readonly queues: Overview['queues'] }) {
  return (
    <nav className="tiles" aria-label="Queues of work">
      {queues.map((queue) => (
        <Link key={queue.queue} className="tile" to="/work" search={() => ({ queue: queue.queue })}>
          {queueOf(queue.queue).label}
          <strong>{renderCount(queue.count)}</strong>
          <span className="quiet">
            {queue.oldestOn === null ? (
              'nothing waits'
            ) : (
              <>
                {queue.unassigned} unassigned · oldest <Age since={queue.oldestOn} />
              </>
            )}
          </span>
          <span
            className="ages"
            role="img"
            aria-label={ages.map(([age, words]) => `${queue.ages[age]} ${words}`).join(', ')}
          >
            {ages.map(([age]) => (
              <i key={age} style={{ flexGrow: queue.ages[age] }} />
            ))}
          </span>
        </Link>
      ))}
    </nav>
  )
}

function BusinessDay({ overview: { businessDate, closing, lastClose } }: { readonly overview: Overview }) {
  return (
    <Panel title="Business day" acts={<Link to="/books/business-day">Open</Link>}>
      <Facts
        facts={[
          ['Open now', <Day key="open" on={businessDate} />],
          ['Close', closing === null ? 'not running' : <Status key="close" of="Running" />],
          ['Last closed', lastClose === null ? undefined : <Day key="last" on={lastClose.closedDate} />],
          ['Closed at', lastClose === null ? undefined : <Time key="at" at={lastClose.closedOn} />],
          ['Accounts', lastClose === null ? undefined : renderCount(lastClose.accounts)],
          [
            'Calls issued / met',
            lastClose === null ? undefined : `${lastClose.callsIssued} / ${lastClose.callsMet}`,
          ],
        ]}
      />
    </Panel>
  )
}

function failed(count: number) {
  return count === 0 ? '0' : <Status of={`${renderCount(count)} failed`} tone="bad" />
}

function Health({ health }: { readonly health: Overview['health'] }) {
  return (
    <Panel title="Health">
      <Facts
        facts={[
          ['Service', <Ready key="ready" />],
          ['Loads running', renderCount(health.loadsRunning)],
          ['Jobs waiting', renderCount(health.jobsWaiting)],
          [
            'Oldest job',
            health.oldestJobSeconds === 0 ? undefined : renderAge(health.oldestJobSeconds * 1_000),
          ],
          ['Jobs that failed', failed(health.jobsFailed)],
          ['Deliveries waiting', renderCount(health.deliveriesWaiting)],
          ['Deliveries that failed', failed(health.deliveriesFailed)],
        ]}
      />
    </Panel>
  )
}

/** What the service's own check of its parts says. */
function Ready() {
  const ready = useQuery({
    queryKey: ['ready'],
    queryFn: async ({ signal }) =>
      (await (await fetch('/health/ready', { signal })).json()) as { reason?: string },
    refetchInterval: readyEveryMs,
  })
  if (ready.isError) return <Status of="Not reachable" tone="bad" />
  if (ready.data === undefined) return null
  const { reason } = ready.data
  return reason === undefined ? <Status of="Ready" tone="good" /> : <Status of={reason} tone="bad" />
}

function hours(value: number | string) {
  return renderAge(Number(value) * 3_600_000).replace('now', '<1 min')
}

function TimeInState({ rows }: { readonly rows: Overview['timeInState'] }) {
  return (
    <Panel title="Time in state" flush>
      <div className="table-region">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col" className="right">
                Applications
              </th>
              <th scope="col" className="right">
                Median
              </th>
              <th scope="col" className="right">
                9 of 10 within
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ state, count, medianHours, p90Hours }) => (
              <tr key={state}>
                <td>
                  <Status of={state} />
                </td>
                <td className="right">{renderCount(count)}</td>
                <td className="right">{hours(medianHours)}</td>
                <td className="right">{hours(p90Hours)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}
