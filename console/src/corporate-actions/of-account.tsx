/** What the positions of an account are entitled to by corporate actions. */
import { Link } from '@tanstack/react-router'
import { Listed } from '../design/listed.tsx'
import { Panel } from '../design/panel.tsx'
import type { Column } from '../design/table.tsx'
import { usePages } from '../reads.ts'
import { actionAddress, type Entitlement } from './action.ts'
import { useBookDays } from './book-days.ts'
import { entitlementColumns } from './entitlement-columns.tsx'

const actionColumn: Column<Entitlement> = {
  key: 'action',
  header: 'Action',
  by: ({ corporateActionId }) => corporateActionId,
  cell: ({ corporateActionId: id, accountNumber }) => (
    <Link to={actionAddress} search={() => ({ id, accountNumber })} className="mono">
      {id}
    </Link>
  ),
}

export function ActionsOfAccount({ accountNumber }: { readonly accountNumber: string }) {
  const pages = usePages('list-action-entitlements', 'entitlements', { accountNumber })
  const { latestDay } = useBookDays()
  return (
    <Panel title="Corporate actions" note="what the positions are entitled to" flush>
      <Listed
        label="Corporate actions"
        pages={pages}
        keyOf={({ corporateActionId, acctType }) => `${corporateActionId} ${acctType}`}
        empty="No announced corporate action concerns this account."
        columns={[actionColumn, ...entitlementColumns(latestDay)]}
      />
    </Panel>
  )
}
