/** The frame of a screen: its position in the navigation, its heading and its actions. */
import { Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { Subject } from './subject.tsx'

export interface PageProps {
  readonly title: string
  /** The window's title if the heading contains a name, which must not be in the browser's history. */
  readonly windowTitle?: string
  /** The item that the screen is about, as its dialogs name it: the number and the name of an account. */
  readonly subject?: string
  readonly above?: readonly { readonly label: string; readonly to: string }[]
  readonly badge?: ReactNode
  readonly note?: ReactNode
  readonly acts?: ReactNode
  readonly children: ReactNode
}

/** Whether a screen was shown before: the browser itself takes the focus to the beginning of a loaded page. */
let isLater = false

/**
 * The heading of another screen gets the focus if the control that had it is gone with the screen before, so that a
 * screen reader reads it and Tab continues from there.
 */
function useFocusedHeading() {
  const heading = useRef<HTMLHeadingElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address may keep the heading
  useEffect(() => {
    if (isLater && document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
    isLater = true
  }, [path])
  return heading
}

export function Page({
  title,
  windowTitle,
  subject = '',
  above = [],
  badge,
  note,
  acts,
  children,
}: PageProps) {
  useEffect(() => {
    document.title = `${windowTitle ?? title} · Operations console`
  }, [title, windowTitle])
  const heading = useFocusedHeading()
  return (
    <Subject value={subject}>
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
              <Title order={1} ref={heading} tabIndex={-1}>
                {title}
              </Title>
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
    </Subject>
  )
}
