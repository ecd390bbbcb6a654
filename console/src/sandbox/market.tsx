/** Trades for an account, and changes of prices. */
import { Text } from '@mantine/core'
import { Act } from '../act/act.tsx'
import { Panel } from '../design/panel.tsx'

export function Market() {
  return (
    <Panel
      title="Market"
      acts={
        <>
          <Act
            operation="add-trades"
            label="Add trades…"
            title="Add trades"
            submit="Add"
            fields={[
              { name: 'accountNumber', label: 'Account', kind: 'text', required: true },
              { name: 'count', label: 'How many', kind: 'whole', first: '20' },
              { name: 'seed', label: 'Seed', kind: 'text', hint: 'The same seed makes the same trades.' },
            ]}
          />
          <Act
            operation="move-prices"
            label="Move prices…"
            title="Move prices"
            submit="Move"
            fields={[
              { name: 'percent', label: 'Percent', kind: 'number', required: true, hint: 'Such as -12.5.' },
              {
                name: 'symbols',
                label: 'Symbols',
                kind: 'words',
                hint: 'Leave it empty for all securities.',
              },
            ]}
          />
        </>
      }
    >
      <Text size="sm">
        Random trading that can be repeated by its seed, and new prices for every firm’s positions.
      </Text>
    </Panel>
  )
}
