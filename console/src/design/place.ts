/** The position in a list, kept in the address, so that Back and reloading restore it. */
import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { keptName, useFilters, useWriting } from '../address.ts'

const framesOfMeasuring = 15
const rowMax = 10_000
/** More rows than fit below the first visible one. */
const rowsBelow = 60

interface Reading {
  readonly rows: readonly unknown[]
  readonly hasNextPage: boolean
  readonly error: unknown
  readonly more: () => void
}

function usePlace(list: string) {
  const [filters] = useFilters()
  const name = keptName('row', list)
  const row = Number(filters[name] ?? 0)
  return { name, row: Number.isInteger(row) && row > 0 ? Math.min(row, rowMax) : 0 }
}

/** Loads pages once, until the rows that were visible are loaded; true until then. */
export function useRestoring(list: string, { rows, hasNextPage, error, more }: Reading): boolean {
  const { row } = usePlace(list)
  const [isDone, setDone] = useState(false)
  const hasAll = !hasNextPage || Boolean(error) || rows.length > row + rowsBelow
  const isRestoring = !isDone && row > 0 && !hasAll
  if (!isDone && rows.length > 0 && !isRestoring) setDone(true)
  useEffect(() => {
    if (isRestoring) more()
  }, [isRestoring, more])
  return isRestoring
}

/**
 * Scrolls to the stored position once rows are loaded, and stores later positions. Returns a function that stores the
 * position at once.
 */
export function useScrollPlace(
  list: string,
  virtual: Virtualizer<HTMLDivElement, Element>,
  count: number,
): () => void {
  const { name, row } = usePlace(list)
  const restored = useRef(false)
  const isRestored = restored.current || row === 0
  const hasRows = count > 0
  const target = useRef({ row, count })
  useLayoutEffect(() => {
    if (!hasRows) target.current.row = row
    target.current.count = count
  })
  useLayoutEffect(() => {
    const { current } = target
    if (!hasRows || restored.current) return
    restored.current = true
    if (current.row === 0) return
    // The offset of a row is known some frames later, when the rows before it are measured.
    let frames = framesOfMeasuring
    let frame = 0
    const scroll = () => {
      virtual.scrollToIndex(Math.min(current.row, current.count - 1), { align: 'start' })
      frames -= 1
      if (frames > 0) frame = requestAnimationFrame(scroll)
    }
    scroll()
    return () => cancelAnimationFrame(frame)
  }, [hasRows, virtual])

  const first = virtual.range?.startIndex ?? 0
  const isKept = !isRestored || first === row || first > rowMax
  const place = first === 0 ? undefined : String(first)
  const write = useWriting(name, place, isKept)
  return () => {
    if (!isKept) write(place)
  }
}
