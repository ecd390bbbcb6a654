/** The columns of a list of margin calls. */
import type { Answered } from '../client.ts'
import { labelOf } from '../design/codes.ts'
import { renderCount } from '../design/count.ts'
import { moneyColumn } from '../design/money-column.tsx'
import { Status } from '../design/status.tsx'
import type { Column } from '../design/table.tsx'
import { Day } from '../design/time.tsx'

export type Call = Answered<'list-calls'>['calls'][number]

export const callColumns: readonly Column<Call>[] = [
  {
    key: 'kind',
    header: 'Call',
    by: ({ kind }) => kind,
    // A service of the previous release sends no count.
    cell: ({ kind, unsatisfiedDeficits: count }) => (
      <>
        {labelOf('callKind', kind)}
        {Number(count ?? 0) > 0 && (
          <div className="quiet">{renderCount(count ?? 0)} not satisfied in time within twelve months</div>
        )}
      </>
    ),
  },
  {
    key: 'state',
    header: 'State',
    by: ({ state }) => state,
    cell: ({ state, overdue }) =>
      state === 'Open' ? (
        <Status of={overdue ? 'Overdue' : 'Open'} tone={overdue ? 'bad' : 'attention'} />
      ) : (
        <Status of={state} />
      ),
  },
  moneyColumn('amount', 'Amount', ({ amount }) => amount),
  moneyColumn('outstanding', 'Outstanding', ({ outstanding }) => outstanding),
  {
    key: 'issued',
    header: 'Issued',
    by: ({ issuedOn }) => issuedOn,
    cell: ({ issuedOn }) => <Day on={issuedOn} />,
  },
  {
    key: 'age',
    header: 'Business days',
    right: true,
    by: ({ ageDays }) => ageDays,
    cell: ({ ageDays }) => renderCount(ageDays),
  },
  { key: 'due', header: 'Due', by: ({ dueBy }) => dueBy, cell: ({ dueBy }) => <Day on={dueBy} /> },
  { key: 'met', header: 'Met or ended', cell: ({ metOn }) => (metOn === null ? '' : <Day on={metOn} />) },
]
