/** The frame of a screen: its position in the navigation, its heading and its actions. */
import { Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'

export interface PageProps {
  readonly title: string
  /** The window's title if the heading contains a name, which must not be in the browser's history. */
  readonly windowTitle?: string
  readonly above?: readonly { readonly label: string; readonly to: string }[]
  readonly badge?: ReactNode
  readonly note?: ReactNode
  readonly acts?: ReactNode
  readonly children: ReactNode
}

export function Page({ title, windowTitle, above = [], badge, note, acts, children }: PageProps) {
  useEffect(() => {
    document.title = `${windowTitle ?? title} · Operations console`
  }, [title, windowTitle])
  return (
    <Stack gap="md">
      <div>
        {above.length > 0 && (
          <Breadcrumbs fz="xs" mb={4} aria-label="Breadcrumb" component="nav">
            {above.map(({ label, to }) => (
              <Link key={to} to={to}>
                {label}
              </Link>
            ))}
          </Breadcrumbs>
        )}
        <div className="page-head">
          <Group gap="sm" align="center">
            <Title order={1}>{title}</Title>
            {badge}
          </Group>
          <Group gap="xs">{acts}</Group>
          {note !== undefined && (
            <Text size="sm" className="quiet">
              {note}
            </Text>
          )}
        </div>
      </div>
      {children}
    </Stack>
  )
}
