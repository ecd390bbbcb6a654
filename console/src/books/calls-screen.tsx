/** Margin calls of all firms with their ages, and for overdue calls the sell-out day and amount. */
import type { CallOf } from '@clearing/sdk'
import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useFilters } from '../address.ts'
import { given } from '../client.ts'
import { Filters } from '../design/filters.tsx'
import { Listed } from '../design/listed.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import type { Column } from '../design/table.tsx'
import { EachFirm } from '../firms/each-firm.tsx'
import { firmFilter } from '../firms/firm-filter.ts'
import { useAll, useRead } from '../reads.ts'
import { type Call, callColumns } from './call-columns.tsx'
import { liquidationColumns } from './liquidation-columns.tsx'

export function CallsScreen() {
  const [filters] = useFilters()
  const firms = useRead('list-firms', {})
  return (
    <Page
      title="Margin calls"
      note="The close of each business day issues calls, ages them, and marks the met ones."
    >
      <Filters
        filters={[
          firmFilter(firms.data?.firms),
          {
            name: 'met',
            label: 'State',
            kind: 'choice',
            any: 'Open',
            choices: [
              { value: 'overdue', label: 'Overdue, to be liquidated' },
              { value: 'yes', label: 'Open and met' },
            ],
          },
        ]}
      />
      <Shown read={firms}>
        {({ firms: all }) => (
          <EachFirm firms={all} chosen={filters.firmId}>
            {({ firmId, name }) => (
              <FirmCalls key={firmId} firmId={firmId} name={name} state={filters.met ?? ''} />
            )}
          </EachFirm>
        )}
      </Shown>
    </Page>
  )
}

const accountColumn: Column<Call> = {
  key: 'account',
  header: 'Account',
  by: ({ accountNumber }) => accountNumber,
  cell: ({ accountNumber, accountName }) => (
    <>
      <Link to={`/accounts/${accountNumber}`} search={() => ({ tab: 'margin' })}>
        {accountNumber}
      </Link>
      <div className="quiet">{accountName}</div>
    </>
  ),
}

interface FirmCallsProps {
  readonly firmId: string
  readonly name: string
  readonly state: string
}

function FirmCalls({ firmId, name, state }: FirmCallsProps) {
  const isOverdue = state === 'overdue'
  const request = given<CallOf<'list-calls'>>({ includeMet: state === 'yes' || undefined })
  const pages = useAll('list-calls', 'calls', request, { firmId })
  const rows = isOverdue ? pages.rows.filter(({ overdue }) => overdue) : pages.rows
  if (pages.error === null && !pages.isPending && rows.length === 0)
    return (
      <Text size="sm" className="quiet">
        {name}: {isOverdue ? 'no call is overdue.' : 'no call is open.'}
      </Text>
    )
  return (
    <Panel
      title={name}
      note={
        isOverdue ? 'the amounts that meet each call, from the present figures of the account' : undefined
      }
      flush
    >
      <Listed
        label={`Calls of ${name}`}
        pages={{ ...pages, rows }}
        columns={[accountColumn, ...(isOverdue ? liquidationColumns : callColumns)]}
        keyOf={({ accountNumber, kind, issuedOn }) => `${accountNumber} ${kind} ${issuedOn}`}
        empty="No call is open."
      />
    </Panel>
  )
}
