/** Account openings: the states of applications, their number on the last days, and the durations of states. */
import type { Answered } from '../client.ts'
import { Bars } from '../design/bars.tsx'
import { renderCount } from '../design/count.ts'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Table } from '../design/table.tsx'
import { renderAge } from '../design/time.tsx'
import { useRead } from '../reads.ts'
import { Intake } from './intake.tsx'

type StateTime = Answered<'get-overview'>['timeInState'][number]

export function OpeningNow() {
  return (
    <Shown read={useRead('get-overview', {})}>
      {({ funnel, days, timeInState }) => (
        <>
          <div className="columns">
            <Panel title="Applications now" note="by state">
              <Bars bars={funnel.map(({ state, count }) => ({ label: state, value: count }))} />
            </Panel>
            <Panel title="Intake" note="applications a day">
              <Intake days={days} />
            </Panel>
          </div>
          <TimeInState rows={timeInState} />
        </>
      )}
    </Shown>
  )
}

export function renderHours(value: number | string) {
  return renderAge(Number(value) * 3_600_000).replace('now', '<1 min')
}

function TimeInState({ rows }: { readonly rows: readonly StateTime[] }) {
  return (
    <Panel title="Time in state" note="of applications that moved in the last 30 days" flush>
      <Table
        label="Time in state"
        rows={rows}
        keyOf={({ state }) => state}
        empty="No application changed its state."
        columns={[
          { key: 'state', header: 'State', cell: ({ state }) => <Status of={state} /> },
          { key: 'count', header: 'Applications', right: true, cell: ({ count }) => renderCount(count) },
          {
            key: 'median',
            header: 'Median',
            right: true,
            cell: ({ medianHours }) => renderHours(medianHours),
          },
          {
            key: 'p90',
            header: '9 of 10 within',
            right: true,
            cell: ({ p90Hours }) => renderHours(p90Hours),
          },
        ]}
      />
    </Panel>
  )
}
