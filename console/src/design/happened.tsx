/** When something happened, by whom and why, in a cell of a table. */
import { Time } from './time.tsx'

interface HappenedProps {
  /** Null if it has not happened. */
  readonly at: string | null
  readonly by: string
  readonly why?: string
}

export function Happened({ at, by, why }: HappenedProps) {
  if (at === null) return ''
  return (
    <>
      <Time at={at} />
      <div className="quiet">{by}</div>
      {why !== undefined && <div>{why}</div>}
    </>
  )
}
