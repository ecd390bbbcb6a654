/** The client firms. */
import { limits } from '@clearing/protocol'
import { Link } from '@tanstack/react-router'
import { Act } from '../act/act.tsx'
import { useGoTo } from '../address.ts'
import type { Answered } from '../client.ts'
import { renderCount } from '../design/count.ts'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { useRead } from '../reads.ts'

export type Firm = Answered<'list-firms'>['firms'][number]

export function FirmsScreen() {
  const goTo = useGoTo()
  return (
    <Page
      title="Client firms"
      acts={
        <Act
          operation="create-firm"
          label="Create a firm"
          title="Create a firm"
          submit="Create"
          look={{ variant: 'filled' }}
          fields={[
            { name: 'name', label: 'Name', kind: 'text', required: true },
            {
              name: 'entityNumbers',
              label: 'Entity numbers',
              kind: 'words',
              required: true,
              hint: 'Three digits each; Enter after each.',
            },
            {
              name: 'repCodes',
              label: 'Rep codes',
              kind: 'words',
              required: true,
              hint: 'Four letters or digits each; Enter after each.',
            },
            {
              name: 'settings.requestsPerSecond',
              label: 'Requests a second',
              kind: 'whole',
              hint: `At most ${renderCount(limits.rateRequestsPerSecondMax)}; empty is the default.`,
            },
          ]}
          onDone={({ data }) => goTo(`/firms/${data.firmId}`)}
        />
      }
    >
      <Panel title="Firms" flush>
        <Shown read={useRead('list-firms', {})}>
          {({ firms }) => (
            <Table
              label="Firms"
              rows={firms}
              keyOf={({ firmId }) => firmId}
              opens={({ firmId }) => goTo(`/firms/${firmId}`)}
              empty="There is no client firm yet."
              columns={columns}
            />
          )}
        </Shown>
      </Panel>
    </Page>
  )
}

const columns: readonly Column<Firm>[] = [
  {
    key: 'name',
    header: 'Firm',
    by: ({ name }) => name,
    cell: ({ name, firmId }) => <Link to={`/firms/${firmId}`}>{name}</Link>,
  },
  { key: 'state', header: 'State', cell: ({ disabled }) => <Status of={disabled ? 'Disabled' : 'Active'} /> },
  { key: 'entities', header: 'Entity numbers', cell: ({ entityNumbers }) => entityNumbers.join(', ') },
  { key: 'reps', header: 'Rep codes', cell: ({ repCodes }) => repCodes.join(', ') },
  {
    key: 'credentials',
    header: 'Credentials',
    right: true,
    by: ({ credentials }) => credentials.length,
    cell: ({ credentials }) => credentials.length,
  },
  {
    key: 'created',
    header: 'Created',
    by: ({ createdOn }) => createdOn,
    cell: ({ createdOn }) => <Time at={createdOn} />,
  },
]
