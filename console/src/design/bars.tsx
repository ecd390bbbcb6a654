/** Amounts as bars with labels, readable without colour and without a library of charts. */
import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { renderCount } from './count.ts'
import { wordsOf } from './words.ts'

export interface Bar {
  readonly label: string
  readonly value: number
  readonly note?: ReactNode
}

export function Bars({ bars }: { readonly bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <Stack gap={7} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {bars.map(({ label, value, note }) => (
        <li key={label}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">{wordsOf(label)}</Text>
            <Text size="sm" fw={600}>
              {renderCount(value)}
              {note}
            </Text>
          </Group>
          <div className="bar" aria-hidden>
            <div style={{ width: `${(value / most) * 100}%` }} />
          </div>
        </li>
      ))}
    </Stack>
  )
}
