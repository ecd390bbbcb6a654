/**
 * The button that reveals personal numbers, and the dialog that asks for a reason, which is stored with the reader's
 * name.
 */
import { limits } from '@clearing/protocol'
import { Group, Modal, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { AskedFor } from '../act/asked-for.tsx'
import { Button } from '../design/button.tsx'
import { DialogTitle } from '../design/subject.tsx'
import { useWhyNot } from '../session/permitted.ts'
import { useSession } from '../session/session.ts'

export interface RevealProps {
  /** The reason; undefined while the numbers are masked. */
  readonly reason: string | undefined
  readonly onReason: (reason: string | undefined) => void
}

export function Reveal({ reason, onReason }: RevealProps) {
  const [opened, { open, close }] = useDisclosure()
  const { secondFactorDue } = useSession()
  const notOfRole = useWhyNot('personal-numbers')
  const notAllowed = notOfRole ?? (secondFactorDue ? 'Set up your second factor first.' : undefined)
  if (reason !== undefined)
    return (
      <Button variant="default" onClick={() => onReason(undefined)}>
        Mask personal numbers
      </Button>
    )
  return (
    <>
      <AskedFor act="personal-numbers" title="Show personal numbers" whyNot={notAllowed} onAct={open} />
      <Tooltip label={notAllowed} disabled={notAllowed === undefined}>
        <Button
          variant="default"
          {...(notAllowed === undefined
            ? {}
            : { 'data-disabled': true, 'aria-disabled': true, 'aria-description': notAllowed })}
          onClick={() => notAllowed === undefined && open()}
        >
          Show personal numbers…
        </Button>
      </Tooltip>
      <Modal
        opened={opened}
        onClose={close}
        title={<DialogTitle>Show personal numbers</DialogTitle>}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Ask
          onCancel={close}
          onReason={(given) => {
            close()
            onReason(given)
          }}
        />
      </Modal>
    </>
  )
}

interface AskProps {
  readonly onCancel: () => void
  readonly onReason: (reason: string) => void
}

function Ask({ onCancel, onReason }: AskProps) {
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() === '') setMissing(true)
        else onReason(text.trim())
      }}
    >
      <Stack gap="sm">
        <Text size="sm">The access is recorded with your name and the reason. The tab Audit shows it.</Text>
        <TextInput
          label="Reason"
          description="No personal data."
          withAsterisk
          aria-required
          data-autofocus
          autoComplete="off"
          maxLength={limits.noteLengthMax}
          value={text}
          error={isMissing ? 'Reason is required.' : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit">Show</Button>
        </Group>
      </Stack>
    </form>
  )
}
