/** Snapshots of the whole state: saved and restored; and the first state. */
import { Act } from '../act/act.tsx'
import { renderCount } from '../design/count.ts'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Table } from '../design/table.tsx'
import { Day, Time } from '../design/time.tsx'
import { useRead } from '../reads.ts'

export function Snapshots() {
  return (
    <Panel
      title="Snapshots"
      flush
      acts={
        <>
          <Act
            operation="save-snapshot"
            label="Save…"
            title="Save a snapshot"
            submit="Save"
            fields={[
              {
                name: 'name',
                label: 'Name',
                kind: 'text',
                required: true,
                hint: 'Lower-case letters, digits and hyphens. A snapshot of the same name is replaced.',
              },
            ]}
          />
          <Act
            operation="reset"
            label="Reset…"
            title="Reset the sandbox"
            danger
            explains="Restores the state after the first start. All later changes are lost."
          />
        </>
      }
    >
      <Shown read={useRead('list-snapshots', {})} rows={2}>
        {({ snapshots }) => (
          <Table
            label="Snapshots"
            isPart
            rows={snapshots}
            keyOf={({ name }) => name}
            empty="There are no snapshots."
            columns={[
              { key: 'name', header: 'Name', by: ({ name }) => name, cell: ({ name }) => name },
              { key: 'taken', header: 'Saved', cell: ({ takenOn }) => <Time at={takenOn} /> },
              { key: 'clock', header: 'Clock', cell: ({ clock }) => <Time at={clock} /> },
              { key: 'day', header: 'Business date', cell: ({ businessDate }) => <Day on={businessDate} /> },
              { key: 'rows', header: 'Rows', right: true, cell: ({ rows }) => renderCount(rows) },
              {
                key: 'act',
                header: <span className="unseen">Act</span>,
                cell: ({ name }) => (
                  <Act
                    operation="restore-snapshot"
                    label="Restore…"
                    title={`Restore ${name}`}
                    danger
                    explains="Restores the state of the snapshot. All later changes are lost."
                    fixed={{ name }}
                  />
                ),
              },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}
