/** The requests of the firm's credentials, the latest first, with their responses and durations. */
import type { CallOf } from '@clearing/sdk'
import { useFilters } from '../address.ts'
import { type Answered, given } from '../client.ts'
import { Code } from '../design/code.tsx'
import { renderCount } from '../design/count.ts'
import { Filters } from '../design/filters.tsx'
import { Listed } from '../design/listed.tsx'
import { Panel } from '../design/panel.tsx'
import { Status } from '../design/status.tsx'
import type { Column } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { usePages } from '../reads.ts'

type Call = Answered<'list-requests'>['requests'][number]

export function Requests({ firmId }: { readonly firmId: string }) {
  const [{ status, operation, traceId }] = useFilters()
  const pages = usePages(
    'list-requests',
    'requests',
    given<CallOf<'list-requests'>>({ status, operation, traceId }),
    { firmId },
  )
  return (
    <Panel
      title="Requests"
      note="of the firm’s own credentials; names and addresses are shown; tax ids, other personal numbers, birth dates and secrets are not stored"
      flush
    >
      <div className="inside">
        <Filters
          filters={[
            {
              name: 'status',
              label: 'Answered',
              kind: 'choice',
              any: 'Anything',
              choices: [
                { value: '2xx', label: 'Done (2xx)' },
                { value: '4xx', label: 'Refused (4xx)' },
                { value: '5xx', label: 'Failed (5xx)' },
              ],
            },
            { name: 'operation', label: 'Operation', kind: 'text' },
            { name: 'traceId', label: 'Trace', kind: 'text' },
          ]}
        />
      </div>
      <Listed
        label="Requests"
        pages={pages}
        columns={columns}
        keyOf={({ requestId }) => requestId}
        empty="No call matches."
        heightMax="45vh"
      />
    </Panel>
  )
}

function toneOf(status: number) {
  return status < 300 ? 'good' : status < 500 ? 'attention' : 'bad'
}

const columns: readonly Column<Call>[] = [
  { key: 'at', header: 'When', cell: ({ at }) => <Time at={at} /> },
  { key: 'operation', header: 'Operation', cell: ({ operation }) => operation },
  {
    key: 'status',
    header: 'Answered',
    cell: ({ status, replayed }) => (
      <>
        <Status of={String(status)} tone={toneOf(status)} />
        {replayed && <span className="quiet"> replayed</span>}
      </>
    ),
  },
  { key: 'codes', header: 'Errors', cell: ({ errorCodes }) => errorCodes.join(', ') },
  { key: 'took', header: 'Took', right: true, cell: ({ durationMs }) => `${renderCount(durationMs)} ms` },
  { key: 'client', header: 'Credential', cell: ({ clientId }) => <Code of={clientId} /> },
  { key: 'trace', header: 'Trace', cell: ({ traceId }) => <Code of={traceId} /> },
  {
    key: 'body',
    header: 'Sent',
    cell: ({ requestBody }) =>
      requestBody === null ? (
        ''
      ) : (
        <span className="mono detail" title={requestBody}>
          {requestBody}
        </span>
      ),
  },
]
