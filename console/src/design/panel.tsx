/** A part of a screen with its heading. */
import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

export interface PanelProps {
  readonly title: string
  readonly note?: ReactNode
  readonly acts?: ReactNode
  /** Without a margin inside: for tables. */
  readonly flush?: boolean
  readonly children: ReactNode
}

export function Panel({ title, note, acts, flush = false, children }: PanelProps) {
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <header>
        <Group gap="sm" align="baseline">
          <Title order={2} id={id}>
            {title}
          </Title>
          {note !== undefined && (
            <Text size="xs" className="quiet">
              {note}
            </Text>
          )}
        </Group>
        {acts !== undefined && <Group gap="xs">{acts}</Group>}
      </header>
      {flush ? children : <div className="inside">{children}</div>}
    </section>
  )
}
