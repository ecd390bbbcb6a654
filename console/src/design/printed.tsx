/** A list on paper: all rows in the visible columns, without the frame of the screen. */
import { use, useEffect, useEffectEvent } from 'react'
import { createPortal } from 'react-dom'
import { countOf } from './count.ts'
import { useServiceNow } from './service-clock.ts'
import { Subject } from './subject.tsx'
import type { Column } from './table.tsx'
import { renderTime } from './time.tsx'

export interface PrintedProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly onDone: () => void
}

export function Printed<Row>({ label, columns, rows, onDone }: PrintedProps<Row>) {
  const now = useServiceNow()
  const subject = use(Subject)
  const done = useEffectEvent(onDone)
  useEffect(() => {
    const end = () => done()
    window.addEventListener('afterprint', end)
    window.print()
    return () => window.removeEventListener('afterprint', end)
  }, [])
  return createPortal(
    <div className="printed">
      <table className="table">
        <caption>
          {[subject, label, countOf(rows.length, 'row'), renderTime(new Date(now).toISOString())]
            .filter((part) => part !== '')
            .join(', ')}
        </caption>
        <thead>
          <tr>
            {columns.map(({ key, header, right }) => (
              <th key={key} scope="col" className={right ? 'right' : undefined}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows do not change
            <tr key={index}>
              {columns.map(({ key, cell, right }) => (
                <td key={key} className={right ? 'right' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>,
    document.body,
  )
}
