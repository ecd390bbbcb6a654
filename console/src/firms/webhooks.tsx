/** The webhooks of a firm with a test for each, and their log of deliveries. */
import { Stack } from '@mantine/core'
import { Act } from '../act/act.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { useRead } from '../reads.ts'
import { AttemptShown } from './attempts.tsx'
import { Deliveries } from './deliveries.tsx'

export function Webhooks({ firmId }: { readonly firmId: string }) {
  return (
    <Shown read={useRead('list-webhooks', {}, { firmId })} rows={2}>
      {({ webhooks }) => (
        <Stack gap="md">
          <Panel title="Webhooks" flush>
            <Table
              label="Webhooks"
              rows={webhooks}
              keyOf={({ webhookId }) => webhookId}
              empty="The firm has no webhook."
              columns={[
                {
                  key: 'url',
                  header: 'Address',
                  cell: ({ url, description }) => (
                    <>
                      <span className="mono">{url}</span>
                      <div className="quiet">{description}</div>
                    </>
                  ),
                },
                { key: 'types', header: 'Events', cell: ({ types }) => types.join(', ') || 'every type' },
                {
                  key: 'state',
                  header: 'State',
                  cell: ({ disabled, disabledReason }) => (
                    <>
                      <Status of={disabled ? 'Disabled' : 'Active'} />
                      {disabledReason !== null && <div className="quiet">{disabledReason}</div>}
                    </>
                  ),
                },
                { key: 'changed', header: 'Changed', cell: ({ lastUpdated }) => <Time at={lastUpdated} /> },
                {
                  key: 'act',
                  header: <span className="unseen">Act</span>,
                  cell: ({ webhookId, url }) => (
                    <Act
                      operation="test-webhook"
                      label="Try…"
                      title="Try the webhook"
                      explains="An event of type webhook.test is sent now, once."
                      fixed={{ webhookId }}
                      of={url}
                      firmId={firmId}
                      result={({ data }) => <AttemptShown attempt={data.attempt} />}
                    />
                  ),
                },
              ]}
            />
          </Panel>
          <Deliveries firmId={firmId} webhooks={webhooks} />
        </Stack>
      )}
    </Shown>
  )
}
