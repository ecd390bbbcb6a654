/** Margin calls of all firms with their ages. */
import type { CallOf } from '@clearing/sdk'
import { Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useFilters } from '../address.ts'
import { given } from '../client.ts'
import { Filters } from '../design/filters.tsx'
import { Listed } from '../design/listed.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { usePages, useRead } from '../reads.ts'
import { type Call, callColumns } from './call-columns.tsx'

export function CallsScreen() {
  const [filters] = useFilters()
  const firms = useRead('list-firms', {})
  const all = firms.data?.firms ?? []
  const shown = filters.firmId ? all.filter(({ firmId }) => firmId === filters.firmId) : all
  return (
    <Page title="Margin calls" note="as the closes of business days issued, aged and found them met">
      <Filters
        filters={[
          {
            name: 'firmId',
            label: 'Firm',
            kind: 'choice',
            any: 'All firms',
            choices: all.map(({ firmId, name }) => ({ value: firmId, label: name })),
          },
          {
            name: 'met',
            label: 'State',
            kind: 'choice',
            any: 'Open',
            choices: [{ value: 'yes', label: 'Open and met' }],
          },
        ]}
      />
      <Stack gap="md">
        {shown.map(({ firmId, name }) => (
          <FirmCalls key={firmId} firmId={firmId} name={name} includeMet={filters.met === 'yes'} />
        ))}
      </Stack>
    </Page>
  )
}

const columns = [
  {
    key: 'account',
    header: 'Account',
    by: ({ accountNumber }: Call) => accountNumber,
    cell: ({ accountNumber }: Call) => (
      <Link to={`/accounts/${accountNumber}`} search={() => ({ tab: 'margin' })}>
        {accountNumber}
      </Link>
    ),
  },
  ...callColumns,
]

function FirmCalls(props: { readonly firmId: string; readonly name: string; readonly includeMet: boolean }) {
  const pages = usePages(
    'list-calls',
    'calls',
    given<CallOf<'list-calls'>>({ includeMet: props.includeMet || undefined }),
    {
      firmId: props.firmId,
    },
  )
  return (
    <Panel title={props.name} flush>
      <Listed
        label={`Calls of ${props.name}`}
        pages={pages}
        columns={columns}
        keyOf={({ accountNumber, kind, issuedOn }) => `${accountNumber} ${kind} ${issuedOn}`}
        empty="No call is open."
      />
    </Panel>
  )
}
