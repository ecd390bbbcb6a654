/** Rows of the audit trail, the newest first. */
import type { CallOf } from '@clearing/sdk'
import { Link } from '@tanstack/react-router'
import type { Answered } from '../client.ts'
import { Code } from '../design/code.tsx'
import { renderCount } from '../design/count.ts'
import { Detail } from '../design/detail.tsx'
import { Listed } from '../design/listed.tsx'
import type { Column } from '../design/table.tsx'
import { Day, Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { usePages } from '../reads.ts'

type Row = Answered<'list-audit'>['rows'][number]
export type AuditFilters = Omit<CallOf<'list-audit'>, 'size' | 'after'>

interface AuditRowsProps {
  readonly filters: AuditFilters
  readonly empty?: string
}

export function AuditRows({ filters, empty = 'No row matches.' }: AuditRowsProps) {
  return (
    <Listed
      label="Audit rows"
      pages={usePages('list-audit', 'rows', filters)}
      columns={columns}
      keyOf={({ firmId, sequence }) => `${firmId} ${sequence}`}
      empty={empty}
      emptyHint={isWhole(filters) ? wholeHint : undefined}
    />
  )
}

const wholeHint =
  'Who and Action are compared as a whole. Who is an e-mail address, a client id or service. Action is what the column shows, such as Set entitlements.'

function isWhole({ actor, action }: AuditFilters) {
  return actor !== undefined || action !== undefined
}

/** What a row is about besides its account: a closed business day, or an identifier. */
function Target({ of: target }: { readonly of: string }) {
  return /^\d{4}-\d\d-\d\d$/.test(target) ? <Day on={target} /> : <Code of={target} />
}

const columns: readonly Column<Row>[] = [
  {
    key: 'at',
    header: 'Time and actor',
    cell: ({ at, actor }) => (
      <>
        <Time at={at} />
        <div className="quiet">{actor}</div>
      </>
    ),
  },
  {
    key: 'action',
    header: 'Action',
    cell: ({ action }) => <span title={action}>{wordsOf(action)}</span>,
  },
  {
    key: 'about',
    header: 'About',
    cell: ({ accountNumber, target }) => (
      <>
        {accountNumber && <Link to={`/accounts/${accountNumber}`}>{accountNumber}</Link>}
        {target !== '' && (
          <div>
            <Target of={target} />
          </div>
        )}
      </>
    ),
  },
  {
    key: 'detail',
    header: 'Detail',
    cell: ({ detail }) => <Detail of={detail} />,
  },
  {
    key: 'firm',
    header: 'Firm',
    cell: ({ firmName, sequence }) => (
      <>
        {firmName}
        <div className="quiet">row {renderCount(sequence)}</div>
      </>
    ),
  },
  { key: 'trace', header: 'Trace', cell: ({ traceId }) => <Code of={traceId} /> },
]
