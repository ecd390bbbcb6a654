/** Rows of the audit trail, the newest first. */
import type { CallOf } from '@clearing/sdk'
import { Link } from '@tanstack/react-router'
import type { Answered } from '../client.ts'
import { Code } from '../design/code.tsx'
import { Detail } from '../design/detail.tsx'
import { Listed } from '../design/listed.tsx'
import type { Column } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { usePages } from '../reads.ts'

type Row = Answered<'list-audit'>['rows'][number]
export type AuditFilters = Omit<CallOf<'list-audit'>, 'size' | 'after'>

export function AuditRows({ filters }: { readonly filters: AuditFilters }) {
  return (
    <Listed
      label="Audit rows"
      pages={usePages('list-audit', 'rows', filters)}
      columns={filters.firmId ? columns.filter(({ key }) => key !== 'firm') : columns}
      keyOf={({ firmId, sequence }) => `${firmId} ${sequence}`}
      empty="No row is like this."
    />
  )
}

const columns: readonly Column<Row>[] = [
  { key: 'at', header: 'When', cell: ({ at }) => <Time at={at} /> },
  { key: 'actor', header: 'Who', cell: ({ actor }) => actor },
  { key: 'action', header: 'Action', cell: ({ action }) => action },
  {
    key: 'account',
    header: 'Account',
    cell: ({ accountNumber }) =>
      accountNumber ? <Link to={`/accounts/${accountNumber}`}>{accountNumber}</Link> : '',
  },
  { key: 'target', header: 'Target', cell: ({ target }) => <Code of={target} /> },
  {
    key: 'detail',
    header: 'Detail',
    cell: ({ detail }) => <Detail of={detail} />,
  },
  { key: 'firm', header: 'Firm', cell: ({ firmName }) => firmName },
  { key: 'sequence', header: 'No.', right: true, cell: ({ sequence }) => sequence },
  { key: 'trace', header: 'Trace', cell: ({ traceId }) => <Code of={traceId} /> },
]
