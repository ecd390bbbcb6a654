/**
 * The day in one sentence, then the work of the person's role, late items, queues, failures, and the last business day.
 */
import { Page } from '../design/page.tsx'
import { Shown } from '../design/states.tsx'
import { useRead } from '../reads.ts'
import { useSession } from '../session/session.ts'
import { ownQueuesOf } from '../work/own-queues.ts'
import { Broke } from './broke.tsx'
import { ForRole } from './for-role.tsx'
import { Health } from './health.tsx'
import { LastDay } from './last-day.tsx'
import { Late } from './late.tsx'
import { Sentence } from './sentence.tsx'
import { Waits } from './waits.tsx'

const lateShown = 10
/** The last close, and the twenty before it. */
const closesCompared = 21

export function HomeScreen() {
  const overview = useRead('get-overview', {})
  const late = useRead('list-work', { late: true, size: lateShown, counted: true })
  const own = ownQueuesOf(useSession().role)
  const ownLate = useRead('list-work', { late: true, queues: own, size: 1, counted: true })
  const failures = useRead('list-failures', {})
  const closes = useRead('list-closes', { size: closesCompared })
  return (
    <Page
      title="Home"
      note={
        <Sentence
          own={own}
          late={ownLate.data?.total ?? undefined}
          lateOfAll={late.data?.total ?? undefined}
          queues={overview.data?.queues}
          failures={failures.data?.failures}
          lastClose={closes.data?.closes[0]}
        />
      }
    >
      <div className="home">
        <div>
          <ForRole />
          <Shown read={late}>{({ work, total }) => <Late work={work} total={total ?? work.length} />}</Shown>
          <Shown read={failures}>{(data) => <Broke failures={data.failures} />}</Shown>
        </div>
        <div>
          <Shown read={overview}>{({ queues }) => <Waits queues={queues} />}</Shown>
          <Shown read={closes}>{(data) => <LastDay closes={data.closes} />}</Shown>
        </div>
      </div>
      {overview.data !== undefined && <Health health={overview.data.health} />}
    </Page>
  )
}
