/**
 * The highlighted row of a list, by its id, so that the highlight stays with its row when others come and go. When the
 * row leaves the list, no row is highlighted for a moment, during which keys do nothing. Then the next row by position
 * is highlighted, and a sentence announces it. Therefore a key that was meant for the removed row never acts on another
 * row unnoticed.
 */
import { useEffect, useRef, useState } from 'react'
import { keptName, useFilters, useWriting } from '../address.ts'

/** Longer than a person needs to stop. */
const landAfterMs = 600

export interface Selection<Row> {
  /** Undefined while no row is highlighted: the list is empty, or the row has just left. */
  readonly row: Row | undefined
  readonly key: string | undefined
  /** Counts the moves. Each move scrolls to the row and focuses it. */
  readonly moves: number
  /** Whether the row replaced a removed row and was not chosen by the person. */
  readonly landed: boolean
  /** Moves by a number of rows. */
  move(by: number): void
  select(key: string): void
  /** Scrolls to the row. */
  reveal(): void
  /** Writes the highlighted row, or the clicked one, into the address before the screen is left. */
  keep(key?: string): void
}

interface State<Row> {
  readonly list: string
  readonly key: string | undefined
  /** The list in which the row was last seen. */
  readonly seen: readonly Row[]
  readonly moves: number
  readonly landed: boolean
}

export interface Selecting<Row> {
  /** The label of the list, under which the address stores the row. */
  readonly label: string
  /** Identifies the list: another filter or order makes another list, which begins without a highlight. */
  readonly list: string
  /** In the order of display; empty while another list is still shown. */
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

export function useSelection<Row>({ label, list, rows, keyOf }: Selecting<Row>): Selection<Row> {
  const [filters] = useFilters()
  const name = keptName('at', label)
  const kept = filters[name]
  const keptRow = Number(filters[keptName('row', label)] ?? 0)
  const [state, setState] = useState<State<Row>>(() => begin(list))
  const isOther = state.list !== list
  const key = isOther ? undefined : state.key
  const index = key === undefined ? -1 : rows.findIndex((row) => keyOf(row) === key)

  // The consequences of new rows are applied before they are shown.
  if (isOther) setState(begin(list))
  else if (key === undefined && rows.length > 0) {
    const first = rows.find((row) => keyOf(row) === kept) ?? rows[keptRow] ?? rows[0]
    setState({ ...state, key: first && keyOf(first), seen: rows })
  } else if (index >= 0 && state.seen !== rows) setState({ ...state, seen: rows })

  const latest = useRef({ rows, state })
  useEffect(() => {
    latest.current = { rows, state }
  })
  const hasLeft = !isOther && key !== undefined && index < 0 && rows.length > 0
  useEffect(() => {
    if (!hasLeft) return
    const timer = setTimeout(() => {
      const { rows: now, state: before } = latest.current
      const next = nextAfter(before, now, keyOf)
      setState({ ...before, key: next, seen: now, moves: before.moves + 1, landed: true })
    }, landAfterMs)
    return () => clearTimeout(timer)
  }, [hasLeft, keyOf])

  const row = rows[index]
  const isKept = row === undefined || key === kept || (kept === undefined && index === 0)
  const write = useWriting(name, key, isKept)

  return {
    row,
    key: row && key,
    moves: state.moves,
    landed: state.landed && row !== undefined,
    move(by) {
      // A move continues from the position of a row that has just left.
      const to =
        index >= 0 ? index + by : rows.findIndex((one) => keyOf(one) === nextAfter(state, rows, keyOf))
      const target = rows[Math.max(0, Math.min(to, rows.length - 1))]
      if (target !== undefined)
        setState({ ...state, key: keyOf(target), seen: rows, moves: state.moves + 1, landed: false })
    },
    select(chosen) {
      if (chosen !== key) setState({ ...state, key: chosen, seen: rows, landed: false })
    },
    reveal: () => setState({ ...state, moves: state.moves + 1 }),
    keep(clicked = row && key) {
      write(clicked)
    },
  }
}

function begin(list: string) {
  return { list, key: undefined, seen: [], moves: 0, landed: false }
}

/** The first remaining row after the removed row, otherwise the last row before it. */
function nextAfter<Row>(
  { key, seen }: State<Row>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): string | undefined {
  const there = new Set(rows.map(keyOf))
  const keys = seen.map(keyOf)
  const place = key === undefined ? -1 : keys.indexOf(key)
  return (
    keys.slice(place + 1).find((one) => there.has(one)) ??
    keys.slice(0, Math.max(0, place)).findLast((one) => there.has(one)) ??
    rows.map(keyOf)[0]
  )
}

/** Whether the highlighted row is visible: it is in the page, within its region and the window. */
export function isInSight(): boolean {
  const row = document.querySelector('tr[aria-selected=true]')
  const region = row?.closest('.table-region')
  const heading = region?.querySelector('th')
  if (row == null || region == null || heading == null) return false
  const { top, height } = row.getBoundingClientRect()
  const middle = top + height / 2
  return (
    middle > heading.getBoundingClientRect().bottom &&
    middle < Math.min(region.getBoundingClientRect().bottom, innerHeight)
  )
}
