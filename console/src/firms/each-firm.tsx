/** A part of a screen for each firm that the filter leaves. */
import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Answered } from '../client.ts'
import { Empty } from '../design/states.tsx'
import { noSuchFirm } from './firm-filter.ts'

type Firm = Answered<'list-firms'>['firms'][number]

export interface EachFirmProps {
  readonly firms: readonly Firm[]
  /** The firm that the filter names. */
  readonly chosen: string | undefined
  readonly children: (firm: Firm) => ReactNode
}

export function EachFirm({ firms, chosen, children }: EachFirmProps) {
  // The firm of the operations staff has no entity numbers, and therefore no accounts.
  const left = firms.filter(({ firmId, entityNumbers }) =>
    chosen ? firmId === chosen : entityNumbers.length > 0,
  )
  if (left.length === 0) return <Empty what={chosen ? noSuchFirm : 'There are no client firms.'} />
  return <Stack gap="md">{left.map(children)}</Stack>
}
