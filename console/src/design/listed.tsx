/** A list read page by page, as a table: loading, failed, empty, or its rows. */
import type { ReactNode } from 'react'
import { Failure, Loading } from './states.tsx'
import { type Column, Table } from './table.tsx'

interface Pages<Row> {
  readonly rows: readonly Row[]
  readonly more: () => void
  readonly isPending: boolean
  readonly error: unknown
  readonly isFetchingNextPage: boolean
  readonly refetch: () => unknown
}

export interface ListedProps<Row> {
  readonly label: string
  readonly pages: Pages<Row>
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row, index: number) => string
  readonly opens?: ((row: Row) => void) | undefined
  readonly selected?: number | undefined
  readonly empty: string
  readonly emptyHint?: ReactNode
  readonly heightMax?: string
}

export const Listed = <Row,>({ pages, ...table }: ListedProps<Row>) => {
  if (pages.rows.length === 0 && pages.error)
    return <Failure fault={pages.error} again={() => pages.refetch()} />
  if (pages.isPending) return <Loading rows={6} />
  return (
    <>
      <Table {...table} rows={pages.rows} atEnd={pages.more} />
      {pages.isFetchingNextPage && <Loading rows={1} />}
    </>
  )
}
