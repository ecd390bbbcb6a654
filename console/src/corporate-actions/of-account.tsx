/** What the positions of an account are entitled to by corporate actions. */
import { Link } from '@tanstack/react-router'
import { labelOf } from '../design/codes.ts'
import { Listed } from '../design/listed.tsx'
import { Panel } from '../design/panel.tsx'
import type { Column } from '../design/table.tsx'
import { Day } from '../design/time.tsx'
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

const datesColumns: readonly Column<Entitlement>[] = [
  {
    key: 'what',
    header: 'What',
    by: ({ symbol }) => symbol,
    cell: ({ type, symbol }) => `${labelOf('corporateActionType', type)} of ${symbol}`,
  },
  { key: 'exDate', header: 'Ex-date', by: ({ exDate }) => exDate, cell: ({ exDate }) => <Day on={exDate} /> },
  {
    key: 'payDate',
    header: 'Pay date',
    by: ({ payDate }) => payDate,
    cell: ({ payDate }) => <Day on={payDate} />,
  },
  {
    key: 'deadline',
    header: 'Deadline',
    by: ({ deadline }) => deadline,
    cell: ({ deadline }) => deadline !== '' && <Day on={deadline} />,
  },
]

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
        columns={[actionColumn, ...datesColumns, ...entitlementColumns(latestDay)]}
      />
    </Panel>
  )
}
