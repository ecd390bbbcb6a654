/** What the positions of an account are entitled to by corporate actions. */
import { Link } from '@tanstack/react-router'
import { Listed } from '../design/listed.tsx'
import { Panel } from '../design/panel.tsx'
import type { Column } from '../design/table.tsx'
import { Day } from '../design/time.tsx'
import { usePages } from '../reads.ts'
import { actionAddress, type Entitlement, titleOf } from './action.ts'
import { useBookDays } from './book-days.ts'
import { entitlementColumns } from './entitlement-columns.tsx'

const actionColumn: Column<Entitlement> = {
  key: 'action',
  header: 'Corporate action',
  by: (row) => titleOf(row),
  cell: (row) => (
    <>
      <Link
        to={actionAddress}
        search={() => ({ id: row.corporateActionId, accountNumber: row.accountNumber })}
      >
        {titleOf(row)}
      </Link>
      <div className="mono quiet">{row.corporateActionId}</div>
    </>
  ),
}

const datesColumns: readonly Column<Entitlement>[] = [
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
    <Panel title="Entitlements" note="of the positions, by corporate actions" flush>
      <Listed
        label="Entitlements"
        pages={pages}
        keyOf={({ corporateActionId, acctType }) => `${corporateActionId} ${acctType}`}
        empty="No announced corporate action concerns this account."
        columns={[actionColumn, ...datesColumns, ...entitlementColumns(latestDay)]}
      />
    </Panel>
  )
}
