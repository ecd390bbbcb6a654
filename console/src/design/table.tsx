/**
 * A list of any length: only the rows in sight are in the page. Columns sort when they say by what; rows open by a click, and by
 * keyboard through the link or button in them.
 */
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Empty } from './states.tsx'

export interface Column<Row> {
  readonly key: string
  readonly header: ReactNode
  readonly cell: (row: Row) => ReactNode
  /** What the column sorts by; without it, it does not. */
  readonly by?: (row: Row) => string | number
  readonly right?: boolean
}

export interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row, index: number) => string
  readonly opens?: ((row: Row) => void) | undefined
  /** The row that keys act upon. */
  readonly selected?: number | undefined
  readonly empty: string
  readonly emptyHint?: ReactNode
  readonly heightMax?: string
  /** Called when the last rows come into sight: reads the next page. */
  readonly atEnd?: (() => void) | undefined
}

interface Sorting {
  readonly key: string
  readonly descending: boolean
}

const rowHeightPx = 34

export const Table = <Row,>(props: TableProps<Row>) => {
  const { columns, rows, keyOf, opens, selected, atEnd } = props
  const region = useRef<HTMLDivElement>(null)
  const [sorting, setSorting] = useState<Sorting>()
  const sorted = useMemo(() => sortRows(rows, columns, sorting), [rows, columns, sorting])
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => region.current,
    estimateSize: () => rowHeightPx,
    overscan: 12,
  })
  const seen = virtual.getVirtualItems()
  const first = seen[0]
  const last = seen.at(-1)
  useEffect(() => {
    if (selected !== undefined && selected < sorted.length) virtual.scrollToIndex(selected)
  }, [selected, sorted.length, virtual])
  useEffect(() => {
    if (atEnd !== undefined && last !== undefined && last.index >= sorted.length - 1) atEnd()
  }, [atEnd, last, sorted.length])

  if (rows.length === 0) return <Empty what={props.empty} hint={props.emptyHint} />
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark for each table
    <div
      className="table-region"
      ref={region}
      style={{ maxHeight: props.heightMax ?? '65vh' }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      role="group"
      aria-label={props.label}
    >
      <table className="table" aria-rowcount={sorted.length + 1}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.key} column={column} sorting={sorting} onSort={setSorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Filler heightPx={first?.start ?? 0} columns={columns.length} />
          {seen.map(({ index }) => {
            const row = sorted[index] as Row
            return (
              <tr
                key={keyOf(row, index)}
                ref={virtual.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                {...(selected === undefined ? {} : { 'aria-selected': index === selected })}
                {...(opens === undefined ? {} : { 'data-opens': '' })}
                onClick={(event) => {
                  if (!(event.target as Element).closest('a, button, input, label')) opens?.(row)
                }}
              >
                {columns.map(({ key, cell, right }) => (
                  <td key={key} className={right ? 'right' : undefined}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
          <Filler heightPx={virtual.getTotalSize() - (last?.end ?? 0)} columns={columns.length} />
        </tbody>
      </table>
    </div>
  )
}

/** Holds the place of the rows out of sight. */
const Filler = ({ heightPx, columns }: { readonly heightPx: number; readonly columns: number }) =>
  heightPx > 0 ? (
    <tr className="filler" aria-hidden>
      <td colSpan={columns} style={{ height: heightPx }} />
    </tr>
  ) : null

interface HeadingProps<Row> {
  readonly column: Column<Row>
  readonly sorting: Sorting | undefined
  readonly onSort: (sorting: Sorting | undefined) => void
}

const Heading = <Row,>({ column, sorting, onSort }: HeadingProps<Row>) => {
  const { key, header, by, right } = column
  const own = sorting?.key === key ? sorting : undefined
  const next =
    own === undefined ? { key, descending: false } : own.descending ? undefined : { key, descending: true }
  return (
    <th
      scope="col"
      className={right ? 'right' : undefined}
      aria-sort={own === undefined ? undefined : own.descending ? 'descending' : 'ascending'}
    >
      {by === undefined ? (
        header
      ) : (
        <button type="button" onClick={() => onSort(next)}>
          {header}
          {own !== undefined &&
            (own.descending ? (
              <IconChevronDown size={12} aria-hidden />
            ) : (
              <IconChevronUp size={12} aria-hidden />
            ))}
        </button>
      )}
    </th>
  )
}

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | undefined,
): readonly Row[] {
  const by = columns.find(({ key }) => key === sorting?.key)?.by
  if (by === undefined || sorting === undefined) return rows
  const turn = sorting.descending ? -1 : 1
  return rows
    .map((row) => ({ row, value: by(row) }))
    .sort((one, other) => turn * compare(one.value, other.value))
    .map(({ row }) => row)
}

const compare = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one).localeCompare(String(other), undefined, { numeric: true })
