/** The content of a screen without data: loading, empty, or failed with the reason. */

import { CallFailed } from '@clearing/sdk'
import { Alert, Center, Group, List, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconInbox } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { canBeRepeated, plainFault } from './fault.ts'
import { Page, type PageProps } from './page.tsx'
import { reasonInWords } from './reasons.ts'
import { withTimes } from './time.tsx'

export function Loading({ rows = 4 }: { readonly rows?: number }) {
  return (
    <Stack gap="xs" p="md" aria-busy="true" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a placeholder have nothing else
        <Skeleton key={row} height={14} width={`${92 - ((row * 17) % 40)}%`} />
      ))}
    </Stack>
  )
}

export function Empty({ what, hint }: { readonly what: string; readonly hint?: ReactNode }) {
  return (
    <Center p="xl">
      <Stack align="center" gap={4}>
        <IconInbox size={28} stroke={1.3} className="quiet" aria-hidden />
        <Text size="sm">{what}</Text>
        {hint !== undefined && (
          <Text size="xs" className="quiet" ta="center" maw={420}>
            {hint}
          </Text>
        )}
      </Stack>
    </Center>
  )
}

interface Reason {
  readonly field: string
  readonly reason: string
}

/** The reasons of a refusal, for fields that are not shown beside their input. */
export function Refusals({ reasons }: { readonly reasons: readonly Reason[] }) {
  if (reasons.length === 0) return null
  return (
    <Alert color="red" variant="light" role="alert">
      <List size="sm">
        {reasons.map(({ field, reason }) => (
          <List.Item key={field + reason}>{reasonInWords(reason)}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

export function Failure({ fault, again }: { readonly fault: unknown; readonly again?: () => void }) {
  const failed = fault instanceof CallFailed ? fault : undefined
  const { title, text } = plainFault(fault)
  return (
    <Alert
      m="md"
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={title}
    >
      {text !== undefined && <Text size="sm">{withTimes(text)}</Text>}
      {failed !== undefined && failed.rejections.length > 0 && (
        <List size="sm">
          {failed.rejections.map(({ code, field, reason }) => (
            <List.Item key={`${code}${field}${reason}`}>{reasonInWords(reason)}</List.Item>
          ))}
        </List>
      )}
      <Group gap="sm" mt="xs">
        {again !== undefined && canBeRepeated(fault) && (
          <Button variant="default" onClick={again}>
            Try again
          </Button>
        )}
        {failed !== undefined && <span className="mono">trace {failed.traceId}</span>}
      </Group>
    </Alert>
  )
}

/** A read that is running, has failed or has its data. */
interface Read<T> {
  readonly data: T | undefined
  readonly isError: boolean
  readonly error: unknown
  readonly refetch: () => unknown
}

/** Shows the data, or the reason why there is none. */
export function Shown<T>({
  read,
  rows,
  failedPage,
  children,
}: {
  readonly read: Read<T>
  readonly rows?: number
  /** The heading above the reason, for data that is the whole screen. */
  readonly failedPage?: Pick<PageProps, 'title' | 'above'>
  readonly children: (data: T) => ReactNode
}) {
  if (read.data !== undefined) return children(read.data)
  if (read.isError) {
    const failure = <Failure fault={read.error} again={() => read.refetch()} />
    return failedPage === undefined ? failure : <Page {...failedPage}>{failure}</Page>
  }
  return <Loading {...(rows === undefined ? {} : { rows })} />
}
