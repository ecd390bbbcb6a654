/** Who is entitled by a corporate action: the positions of each firm, with their elections and lines. */
import type { CallOf } from '@clearing/sdk'
import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useFilters } from '../address.ts'
import { given } from '../client.ts'
import { Filters } from '../design/filters.tsx'
import { Listed } from '../design/listed.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import type { Column } from '../design/table.tsx'
import { EachFirm } from '../firms/each-firm.tsx'
import { firmFilter } from '../firms/firm-filter.ts'
import { usePages, useRead } from '../reads.ts'
import { type Action, type Entitlement, isElective } from './action.ts'
import { useBookDays } from './book-days.ts'
import { Elect } from './elect.tsx'
import { entitlementColumns } from './entitlement-columns.tsx'

const accountColumn: Column<Entitlement> = {
  key: 'account',
  header: 'Account',
  by: ({ accountNumber }) => accountNumber,
  cell: ({ accountNumber, accountName }) => (
    <>
      <Link to={`/accounts/${accountNumber}`} search={() => ({ tab: 'positions' })}>
        {accountNumber}
      </Link>
      <div className="quiet">{accountName}</div>
    </>
  ),
}

export function Entitled({ of: action }: { readonly of: Action }) {
  const [{ firmId, accountNumber = '' }] = useFilters()
  const firms = useRead('list-firms', {})
  return (
    <>
      <Filters
        filters={[
          firmFilter(firms.data?.firms),
          { name: 'accountNumber', label: 'Account number', kind: 'text' },
        ]}
      />
      {accountNumber === '' ? (
        <Shown read={firms}>
          {({ firms: all }) => (
            <EachFirm firms={all} chosen={firmId}>
              {(firm) => (
                <Positions key={firm.firmId} action={action} name={firm.name} firmId={firm.firmId} />
              )}
            </EachFirm>
          )}
        </Shown>
      ) : (
        <Positions action={action} name={`Account ${accountNumber}`} accountNumber={accountNumber} />
      )}
    </>
  )
}

interface PositionsProps {
  readonly action: Action
  readonly name: string
  readonly firmId?: string
  readonly accountNumber?: string
}

function Positions({ action, name, firmId, accountNumber }: PositionsProps) {
  const { corporateActionId } = action
  const request = given<CallOf<'list-action-entitlements'>>({ corporateActionId, accountNumber })
  const settings = firmId === undefined ? {} : { firmId }
  const pages = usePages('list-action-entitlements', 'entitlements', request, settings)
  const { businessDate, latestDay } = useBookDays()
  if (pages.data?.pages[0]?.entitlements.length === 0) {
    return (
      <Text size="sm" className="quiet">
        {name}: no position is entitled.
      </Text>
    )
  }
  const electColumn: Column<Entitlement> = {
    key: 'act',
    header: <span className="unseen">Act</span>,
    cell: (row) => <Elect action={action} entitlement={row} businessDate={businessDate} />,
  }
  const isOpen = isElective(action) && action.state === 'Announced'
  return (
    <Panel title={name} note="entitled positions" flush>
      <Listed
        label={`Entitled positions of ${name}`}
        pages={pages}
        columns={[accountColumn, ...entitlementColumns(latestDay), ...(isOpen ? [electColumn] : [])]}
        keyOf={(row) => `${row.accountNumber} ${row.acctType}`}
        empty="No position is entitled."
      />
    </Panel>
  )
}
