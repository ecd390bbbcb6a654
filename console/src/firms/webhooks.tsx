/** The webhooks of a firm. */
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { useRead } from '../reads.ts'

export const Webhooks = ({ firmId }: { readonly firmId: string }) => (
  <Panel title="Webhooks" flush>
    <Shown read={useRead('list-webhooks', {}, { firmId })} rows={2}>
      {({ webhooks }) => (
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
          ]}
        />
      )}
    </Shown>
  </Panel>
)
