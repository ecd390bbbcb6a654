/** The errors of the application, at the fields as the firm spelled them. */
import type { Answered } from '../client.ts'
import { labelOf } from '../design/codes.ts'
import { Panel } from '../design/panel.tsx'
import { Table } from '../design/table.tsx'

type Wrong = Answered<'onboarding-result'>['errorResponses'][number]

export function Wrongs({ wrongs }: { readonly wrongs: readonly Wrong[] }) {
  return (
    <Panel title="Errors" flush>
      <Table
        label="Errors"
        isPart
        rows={wrongs}
        keyOf={({ code, field }, index) => `${code} ${field} ${index}`}
        empty="There are no errors."
        columns={[
          { key: 'code', header: 'Code', cell: ({ code }) => <span className="mono">{code}</span> },
          { key: 'field', header: 'Field', cell: ({ field }) => <span className="mono">{field}</span> },
          {
            key: 'reason',
            header: 'Reason',
            cell: ({ reason, rule }) => (
              <>
                {reason}
                {rule !== undefined && <div className="quiet">{labelOf('accountRule', rule)}.</div>}
              </>
            ),
          },
        ]}
      />
    </Panel>
  )
}
