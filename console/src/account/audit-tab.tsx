/** The audit trail of the account, and the readings of its personal numbers. */
import { Stack } from '@mantine/core'
import { AuditRows } from '../audit/audit-rows.tsx'
import { Code } from '../design/code.tsx'
import { Listed } from '../design/listed.tsx'
import { Panel } from '../design/panel.tsx'
import { Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { usePages } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'

export function AuditTab({ accountNumber }: TabProps) {
  return (
    <Stack gap="md">
      <Panel title="Audit" flush>
        <AuditRows filters={{ accountNumber }} />
      </Panel>
      <Panel title="Readings" note="accesses to personal numbers and documents" flush>
        <Readings accountNumber={accountNumber} />
      </Panel>
    </Stack>
  )
}

function Readings({ accountNumber }: TabProps) {
  return (
    <Listed
      label="Readings"
      pages={usePages('list-readings', 'readings', { accountNumber })}
      keyOf={({ traceId, operation }, index) => `${traceId} ${operation} ${index}`}
      empty="There was no access."
      columns={[
        { key: 'at', header: 'When', cell: ({ at }) => <Time at={at} /> },
        { key: 'reader', header: 'Reader', cell: ({ reader }) => reader },
        { key: 'reason', header: 'Reason', cell: ({ reason }) => reason },
        { key: 'operation', header: 'Operation', cell: ({ operation }) => wordsOf(operation) },
        { key: 'trace', header: 'Trace', cell: ({ traceId }) => <Code of={traceId} /> },
      ]}
    />
  )
}
