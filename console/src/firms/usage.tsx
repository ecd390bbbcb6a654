/** The firm's requests of the last week by operation, with the limit of its settings. */

import { renderCount } from '../design/count.ts'
import { Panel } from '../design/panel.tsx'
import { Empty, Shown } from '../design/states.tsx'
import { Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { useRead } from '../reads.ts'

const days = 7

export function Usage({ firmId }: { readonly firmId: string }) {
  return (
    <Panel title="Usage" note={`calls of the last ${days} days`} flush>
      <Shown read={useRead('firm-usage', { firmId, days })} rows={3}>
        {({ firms: [usage] }) =>
          usage === undefined ? (
            <Empty what={`The firm made no calls in ${days} days.`} />
          ) : (
            <Table
              label="Usage"
              rows={[{ ...usage, operation: 'All of them' }, ...usage.operations]}
              keyOf={({ operation }) => operation}
              empty=""
              heightMax="30vh"
              columns={[
                { key: 'operation', header: 'Operation', cell: ({ operation }) => operation },
                { key: 'calls', header: 'Calls', right: true, cell: ({ calls }) => renderCount(calls) },
                {
                  key: 'refused',
                  header: 'Refused',
                  right: true,
                  cell: ({ refused }) => renderCount(refused),
                },
                {
                  key: 'failed',
                  header: 'Failed',
                  right: true,
                  cell: ({ failed }) => renderCount(failed),
                },
                {
                  key: 'slowest',
                  header: 'Slowest',
                  right: true,
                  cell: ({ slowestMs }) => `${renderCount(slowestMs)} ms`,
                },
                { key: 'last', header: 'Last', cell: ({ lastOn }) => <Time at={lastOn} /> },
              ]}
            />
          )
        }
      </Shown>
    </Panel>
  )
}
