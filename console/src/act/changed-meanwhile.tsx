/** Asks what happens to values that a colleague changed while the person typed others. */
import { Alert, Group, Stack, Text } from '@mantine/core'
import type { RefObject } from 'react'
import { Button } from '../design/button.tsx'
import { pathInWords, valueInWords } from '../design/record-words.ts'
import type { ChangedValue } from './seen.ts'

export interface ChangedMeanwhileProps {
  readonly changed: readonly ChangedValue[]
  /** The form moves the focus here if it is sent before the person chose. */
  readonly alert: RefObject<HTMLDivElement | null>
  readonly onKeep: (changed: ChangedValue) => void
  readonly onTake: (changed: ChangedValue) => void
}

export function ChangedMeanwhile({ changed, alert, onKeep, onTake }: ChangedMeanwhileProps) {
  if (changed.length === 0) return null
  return (
    <Alert
      ref={alert}
      color="yellow"
      variant="light"
      role="alert"
      title="The record changed while you typed"
      tabIndex={-1}
    >
      <Stack gap="xs">
        {changed.map((one) => (
          <div key={one.path}>
            <Text size="sm">
              {pathInWords(one.path)} changed from <Value of={one} value={one.before} look="before" /> to{' '}
              <Value of={one} value={one.value} look="after" />.
            </Text>
            <Group gap="xs" mt={4}>
              <Choice of={one} onChoose={onKeep}>
                Keep mine
              </Choice>
              <Choice of={one} onChoose={onTake}>
                Take theirs
              </Choice>
            </Group>
          </div>
        ))}
      </Stack>
    </Alert>
  )
}

interface ValueProps {
  readonly of: ChangedValue
  readonly value: string
  readonly look: 'before' | 'after'
}

function Value({ of, value, look }: ValueProps) {
  if (value === '') return <span className="quiet">empty</span>
  const Mark = look === 'before' ? 'del' : 'ins'
  return <Mark className={look}>{valueInWords(of.path, value)}</Mark>
}

interface ChoiceProps {
  readonly of: ChangedValue
  readonly onChoose: (changed: ChangedValue) => void
  readonly children: string
}

function Choice({ of, onChoose, children }: ChoiceProps) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-description={pathInWords(of.path)}
      onClick={() => {
        // The button is gone after the choice, so the focus moves to the field.
        document.getElementsByName(of.name)[0]?.focus()
        onChoose(of)
      }}
    >
      {children}
    </Button>
  )
}
