/** A list that is read in pages, as a table: loading, failed, empty, or its rows with their number. */
import { limits } from '@clearing/protocol'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { pageSize } from '../reads.ts'
import { renderCount } from './count.ts'
import { useRestoring } from './place.ts'
import type { Selection } from './selection.ts'
import { Failure, Loading } from './states.tsx'
import { type Column, Table } from './table.tsx'

export interface Pages<Row> {
  readonly rows: readonly Row[]
  readonly more: () => void
  readonly hasNextPage: boolean
  readonly isPending: boolean
  /** The rows belong to the previous filters. */
  readonly isPlaceholderData: boolean
  readonly error: unknown
  readonly isFetchingNextPage: boolean
  /** Repeats the read that failed. */
  readonly again: () => void
  readonly readAll: () => Promise<readonly Row[]>
}

export interface ListedProps<Row extends object> {
  readonly label: string
  readonly pages: Pages<Row>
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row, index: number) => string
  readonly opens?: ((row: Row) => void) | undefined
  readonly selection?: Selection<Row> | undefined
  /** The number of all rows, if the service returns it. */
  readonly total?: number | undefined
  readonly empty: string
  readonly emptyHint?: ReactNode
  readonly heightMax?: string
}

export function Listed<Row extends object>({ pages, total, ...table }: ListedProps<Row>) {
  const { rows, hasNextPage, error } = pages
  const isRestoring = useRestoring(table.label, pages)
  const isServed = table.columns.some(({ order }) => order !== undefined)
  if (rows.length === 0 && error) return <Failure fault={error} again={pages.again} />
  if (pages.isPending || isRestoring) return <Loading rows={6} />
  const isWhole = !hasNextPage && !isServed && rows.length <= pageSize
  return (
    <>
      <Table
        {...table}
        rows={rows}
        sortedBy={isServed ? 'service' : isWhole ? 'table' : 'none'}
        isBusy={pages.isPlaceholderData}
        atEnd={pages.more}
        readAll={pages.readAll}
        count={<Count shown={rows.length} total={total} isAll={!hasNextPage} />}
      />
      {pages.isFetchingNextPage && <Loading rows={1} />}
      {error !== null && !pages.isFetchingNextPage && <Failure fault={error} again={pages.again} />}
    </>
  )
}

/** The service counts up to a limit. */
function renderTotal(total: number) {
  return total > limits.countedMax ? `more than ${renderCount(limits.countedMax)}` : renderCount(total)
}

interface CountProps {
  readonly shown: number
  readonly total: number | undefined
  readonly isAll: boolean
}

export function Count({ shown, total, isAll }: CountProps) {
  const all = isAll ? shown : total === undefined ? undefined : Math.max(total, shown)
  return (
    <Text size="xs" className="quiet count">
      {all === undefined
        ? `Showing the first ${renderCount(shown)}; there are more below.`
        : `Showing ${renderCount(shown)} of ${renderTotal(all)}.`}
    </Text>
  )
}
