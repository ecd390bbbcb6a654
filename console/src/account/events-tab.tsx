/** The events of the account as its firm receives them, in order. */
import { Detail } from '../design/detail.tsx'
import { Listed } from '../design/listed.tsx'
import { Panel } from '../design/panel.tsx'
import { Time } from '../design/time.tsx'
import { usePages } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'

export function EventsTab({ accountNumber }: TabProps) {
  const pages = usePages('list-events', 'events', { accountNumber })
  return (
    <Panel title="Events" note="as the firm polls, streams or receives them" flush>
      <Listed
        label="Events"
        pages={pages}
        keyOf={({ id }) => id}
        empty="The account has no events."
        columns={[
          { key: 'sequence', header: 'No.', right: true, cell: ({ sequence }) => sequence ?? '' },
          { key: 'time', header: 'When', cell: ({ time }) => <Time at={time} /> },
          { key: 'type', header: 'Event', cell: ({ type }) => <span className="mono">{type}</span> },
          {
            key: 'data',
            header: 'Data',
            cell: ({ data }) => <Detail of={without(data)} />,
          },
        ]}
      />
    </Panel>
  )
}

/** Every event of the list belongs to the account. */
function without(data: unknown): unknown {
  const { accountNumber: _, ...others } = data as Readonly<Record<string, unknown>>
  return others
}
