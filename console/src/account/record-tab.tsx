/**
 * The stored record, block by block. Personal numbers are masked until a person gives a reason. The access and the
 * reason are recorded.
 */
import { Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { Shown } from '../design/states.tsx'
import { useRead } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'
import { recordOf } from './record.ts'
import { RecordView } from './record-view.tsx'
import { Reveal } from './reveal.tsx'

export function RecordTab({ accountNumber }: TabProps) {
  const [reason, setReason] = useState<string>()
  const account = useRead('get-account', { accountNumber }, { reveal: reason, keep: true })
  return (
    <Stack gap="sm">
      <Group justify="flex-end">
        <Reveal reason={reason} onReason={setReason} />
      </Group>
      <Shown read={account} rows={10}>
        {(data) => (
          <div aria-busy={account.isPlaceholderData}>
            <RecordView record={recordOf(data)} />
          </div>
        )}
      </Shown>
    </Stack>
  )
}
