/**
 * A list of any length, whose columns can be chosen and whose rows can be saved or printed. Only the visible rows are
 * in the page. Rows open by a click, or by keyboard through their link or button. A complete list is sorted here; the
 * service sorts a list with further pages, or it is not sorted.
 */
import { IconChevronDown, IconChevronUp, IconSelector } from '@tabler/icons-react'
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useListShape } from './list-shape.ts'
import { ListTools } from './list-tools.tsx'
import { useScrollPlace } from './place.ts'
import { usePrintsRows } from './printing.ts'
import type { Selection } from './selection.ts'
import { type Sorting, useSorting } from './sorting.ts'
import { Empty } from './states.tsx'

export interface Column<Row> {
  readonly key: string
  readonly header: ReactNode
  readonly cell: (row: Row) => ReactNode
  /** The value by which a complete list is sorted here. */
  readonly by?: (row: Row) => string | number
  /** The service's name of the order by this column. */
  readonly order?: string
  readonly right?: boolean
  /** A value and the one compared with it: both get the same share of the width. */
  readonly third?: boolean
}

/**
 * What sorts the list: the service, by columns with an `order`; the table itself, if it has all rows; or
 * nothing.
 */
export type SortedBy = 'service' | 'none' | 'table'

export interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row, index: number) => string
  readonly opens?: ((row: Row) => void) | undefined
  /** The row on which keys act. */
  readonly selection?: Selection<Row> | undefined
  readonly sortedBy?: SortedBy
  /** Whether other rows were requested and are being loaded. */
  readonly isBusy?: boolean
  readonly empty: string
  readonly emptyHint?: ReactNode
  readonly heightMax?: string
  /** Called when the last rows become visible, to load the next page. */
  readonly atEnd?: (() => void) | undefined
  /** Loads all rows, if there are more pages. */
  readonly readAll?: () => Promise<readonly Row[]>
  /** How many rows are shown. */
  readonly count?: ReactNode
  /** A part of an item without the tools of a list. */
  readonly isPart?: boolean
}

const rowHeightPx = 34

type Rows = Virtualizer<HTMLDivElement, Element>

export function Table<Row extends object>(props: TableProps<Row>) {
  const { label, rows, keyOf, opens, selection, sortedBy = 'table', isBusy = false, atEnd } = props
  const region = useRef<HTMLDivElement>(null)
  const [sorting, sort] = useSorting(label)
  const { hidden, isCompact } = useListShape(label)
  const columns = props.columns.filter(({ key }) => !hidden.has(key))
  const inOrder = useCallback(
    (all: readonly Row[]) => (sortedBy === 'table' ? sortRows(all, props.columns, sorting) : all),
    [props.columns, sorting, sortedBy],
  )
  const sorted = useMemo(() => inOrder(rows), [rows, inOrder])
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => region.current,
    estimateSize: () => rowHeightPx,
    overscan: 12,
    // The headings stay above the rows, so the visible area ends lower than the virtual one.
    scrollPaddingEnd: rowHeightPx,
  })
  // The router restores a position in pixels, which rows without measured heights do not have. Under a new name it
  // finds none.
  const [ownPlace] = useState(() => crypto.randomUUID())
  const keepPlace = useScrollPlace(label, virtual, sorted.length)
  const printsRows = usePrintsRows()
  const inSight = virtual.getVirtualItems()
  const first = inSight[0]
  const last = inSight.at(-1)
  const seen = printsRows ? sorted.keys().toArray() : inSight.map(({ index }) => index)
  useEffect(() => {
    if (atEnd !== undefined && last !== undefined && last.index >= sorted.length - 1) atEnd()
  }, [atEnd, last, sorted.length])

  const selectedKey = isBusy ? undefined : selection?.key
  useStartAtTop(virtual, sorting, isBusy)
  const findSelected = () => sorted.findIndex((row, place) => keyOf(row, place) === selectedKey)
  useFollowSelection(virtual, region, findSelected, selection?.moves ?? 0)

  if (rows.length === 0) return <Empty what={props.empty} hint={props.emptyHint} />
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a section would be a landmark for each table */}
      <div
        className={isCompact ? 'table-region compact' : 'table-region'}
        ref={region}
        style={{ '--height-max': props.heightMax ?? '65vh' } as CSSProperties}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        role="group"
        aria-label={label}
        aria-busy={isBusy}
        data-scroll-restoration-id={ownPlace}
        onClickCapture={(event) => {
          if (mayLead(event)) keepPlace()
        }}
      >
        <table className="table" aria-rowcount={sorted.length + 1}>
          <thead>
            <tr>
              {columns.map((column) => (
                <Heading
                  key={column.key}
                  column={column}
                  name={nameOf(column, sortedBy)}
                  sorting={sorting}
                  onSort={(next, byPointer) => {
                    sort(next)
                    // A clicked heading does not take the focus from the list.
                    if (byPointer) region.current?.focus({ preventScroll: true })
                  }}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            <Filler heightPx={printsRows ? 0 : (first?.start ?? 0)} columns={columns.length} />
            {seen.map((index) => {
              const row = sorted[index] as Row
              const key = keyOf(row, index)
              return (
                <ShownRow
                  key={key}
                  rowKey={key}
                  index={index}
                  row={row}
                  columns={columns}
                  measure={printsRows ? undefined : virtual.measureElement}
                  opens={opens}
                  selection={selection}
                  isSelected={key === selectedKey}
                />
              )
            })}
            <Filler
              heightPx={printsRows ? 0 : virtual.getTotalSize() - (last?.end ?? 0)}
              columns={columns.length}
            />
          </tbody>
        </table>
      </div>
      {!props.isPart && <Foot {...props} inOrder={inOrder} />}
    </>
  )
}

/** Another order or filter makes another list, which begins at its first row. */
function useStartAtTop(virtual: Rows, sorting: Sorting | undefined, isBusy: boolean) {
  const listed = useRef({ sorting, isBusy })
  useEffect(() => {
    const { current: before } = listed
    listed.current = { sorting, isBusy }
    if (before.sorting !== sorting || (isBusy && !before.isBusy)) virtual.scrollToOffset(0)
  }, [sorting, isBusy, virtual])
}

/** After a move by key, the row becomes visible and gets the focus as soon as it is in the page. */
function useFollowSelection(
  virtual: Rows,
  region: RefObject<HTMLDivElement | null>,
  findSelected: () => number,
  moves: number,
) {
  const focused = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a row that moves by itself does not scroll
  useEffect(() => {
    const index = findSelected()
    if (moves > 0 && index >= 0) virtual.scrollToIndex(index)
  }, [moves])
  useLayoutEffect(() => {
    if (focused.current === moves) return
    const row = region.current?.querySelector<HTMLElement>('tr[aria-selected=true]')
    if (row == null) return
    focused.current = moves
    row.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
  })
}

/**
 * Whether a click may lead to another screen, before which the address is written. A checkbox does not, and the writing
 * would undo its change.
 */
function mayLead({ target }: MouseEvent): boolean {
  return (target as Element).closest('input, label') === null
}

/** Whether a person has just selected text of the row by dragging, for example to copy it. */
function hasSelectedText(row: Element): boolean {
  const selected = getSelection()
  return selected !== null && !selected.isCollapsed && selected.containsNode(row, true)
}

interface ShownRowProps<Row> extends Pick<TableProps<Row>, 'columns' | 'opens' | 'selection'> {
  readonly row: Row
  readonly rowKey: string
  readonly index: number
  /** Undefined on paper, where the heights are others. */
  readonly measure: ((element: Element | null) => void) | undefined
  readonly isSelected: boolean
}

function ShownRow<Row>(props: ShownRowProps<Row>) {
  const { row, rowKey, index, columns, measure, opens, selection, isSelected } = props
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      {...(selection === undefined
        ? {}
        : {
            'aria-selected': isSelected,
            tabIndex: -1,
            onFocus: () => selection.select(rowKey),
            onClickCapture: (event: MouseEvent) => {
              if (mayLead(event)) selection.keep(rowKey)
            },
          })}
      {...(opens === undefined ? {} : { 'data-opens': '' })}
      onClick={(event) => {
        if ((event.target as Element).closest('a, button, input, label')) return
        if (!hasSelectedText(event.currentTarget)) opens?.(row)
      }}
    >
      {columns.map(({ key, header, cell, right, third }) => (
        <td
          key={key}
          className={right ? 'right' : third ? 'third' : undefined}
          data-label={typeof header === 'string' && header !== '' ? header : undefined}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}

interface FootProps<Row> extends TableProps<Row> {
  readonly inOrder: (rows: readonly Row[]) => readonly Row[]
}

function Foot<Row extends object>({ label, columns, rows, count, readAll, inOrder }: FootProps<Row>) {
  return (
    <div className="foot">
      {count}
      <ListTools label={label} columns={columns} readAll={async () => inOrder((await readAll?.()) ?? rows)} />
    </div>
  )
}

/** Takes the space of the rows that are not visible. */
function Filler({ heightPx, columns }: { readonly heightPx: number; readonly columns: number }) {
  return heightPx > 0 ? (
    <tr className="filler" aria-hidden>
      <td colSpan={columns} style={{ height: heightPx }} />
    </tr>
  ) : null
}

/** The sort order for a request to sort by the column; undefined if it cannot be sorted. */
function nameOf<Row>({ key, by, order }: Column<Row>, sortedBy: SortedBy): string | undefined {
  if (sortedBy === 'table') return by && key
  return sortedBy === 'service' ? order : undefined
}

interface HeadingProps<Row> {
  readonly column: Column<Row>
  readonly name: string | undefined
  readonly sorting: Sorting | undefined
  readonly onSort: (sorting: Sorting | undefined, byPointer: boolean) => void
}

function Heading<Row>({ column: { header, right, third }, name, sorting, onSort }: HeadingProps<Row>) {
  const own = name !== undefined && sorting?.by === name ? sorting : undefined
  const Arrow = own === undefined ? IconSelector : own.descending ? IconChevronDown : IconChevronUp
  return (
    <th
      scope="col"
      className={right ? 'right' : third ? 'third' : undefined}
      aria-sort={own === undefined ? undefined : own.descending ? 'descending' : 'ascending'}
    >
      {name === undefined ? (
        header
      ) : (
        <button
          type="button"
          onClick={({ detail }) =>
            onSort(
              own === undefined
                ? { by: name, descending: false }
                : own.descending
                  ? undefined
                  : { by: name, descending: true },
              detail > 0,
            )
          }
        >
          {header}
          <Arrow size={12} aria-hidden {...(own === undefined ? { opacity: 0.5 } : {})} />
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
  const by = columns.find(({ key }) => key === sorting?.by)?.by
  if (by === undefined || sorting === undefined) return rows
  const turn = sorting.descending ? -1 : 1
  return rows
    .map((row) => ({ row, value: by(row) }))
    .sort((one, other) => turn * compare(one.value, other.value))
    .map(({ row }) => row)
}

function compare(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one).localeCompare(String(other), undefined, { numeric: true })
}
