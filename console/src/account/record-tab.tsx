/** The record, block by block as it is kept. Personal numbers are masked until they are asked for; who asked is recorded. */
import { Button, Group, Stack, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { Shown } from '../design/states.tsx'
import { useRead } from '../reads.ts'
import { useWhyNot } from '../session/permitted.ts'
import type { TabProps } from './account-screen.tsx'
import { recordOf } from './record.ts'
import { RecordView } from './record-view.tsx'

export function RecordTab({ accountNumber }: TabProps) {
  const [reveal, setReveal] = useState(false)
  const notAllowed = useWhyNot('personal-numbers')
  const account = useRead('get-account', { accountNumber }, { reveal, keep: true })
  return (
    <Stack gap="sm">
      <Group justify="flex-end">
        <Tooltip label={notAllowed ?? 'Reading them is recorded under your name.'}>
          <Button
            variant="default"
            {...(notAllowed === undefined
              ? {}
              : { 'data-disabled': true, 'aria-disabled': true, 'aria-description': notAllowed })}
            onClick={() => notAllowed === undefined && setReveal(!reveal)}
          >
            {reveal ? 'Mask personal numbers' : 'Show personal numbers'}
          </Button>
        </Tooltip>
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
