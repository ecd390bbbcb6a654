/** The securities of an item of the checklist, with links to their stock record: some at first, and all on request. */
import { Link } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { Button } from '../design/button.tsx'
import { renderCount } from '../design/count.ts'

interface NamesProps {
  readonly names: readonly string[]
  /** The number of all items. The service names them up to a limit. */
  readonly count: number
}

const shownFirst = 5

export function NamesOfItem({ names, count }: NamesProps) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? names : names.slice(0, shownFirst)
  const unnamed = count - names.length
  return (
    <>
      {shown.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <Link to="/books/stock-record" search={() => ({ security: name })}>
            {name}
          </Link>
        </Fragment>
      ))}
      {isWhole && unnamed > 0 && `, and ${renderCount(unnamed)} more`}
      {names.length > shownFirst && (
        <Button variant="subtle" ml="xs" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${renderCount(names.length)}`}
        </Button>
      )}
    </>
  )
}
