/** What the amendments of a corporate action changed, the latest one first. */
import { Link } from '@tanstack/react-router'
import { labelOf } from '../design/codes.ts'
import { Panel } from '../design/panel.tsx'
import { type Column, Table } from '../design/table.tsx'
import { renderDay, Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import type { Action } from './action.ts'

type Amendment = Action['amendments'][number]
type Change = Amendment['changes'][number]

export function Amendments({ of: { amendments } }: { readonly of: Action }) {
  return (
    <Panel title="Amendments" note="the latest one first" flush>
      <Table
        label="Amendments"
        isPart
        rows={amendments.toReversed()}
        keyOf={({ externalId }) => externalId}
        empty="The action has no amendment."
        columns={columns}
      />
    </Panel>
  )
}

const columns: readonly Column<Amendment>[] = [
  { key: 'version', header: 'Version', cell: ({ version }) => version },
  { key: 'amended', header: 'Amended', cell: ({ amendedOn }) => <Time at={amendedOn} /> },
  {
    key: 'changes',
    header: 'What changed',
    cell: ({ changes }) =>
      changes.map((change) => <div key={`${change.option} ${change.field}`}>{inWords(change)}</div>),
  },
  {
    key: 'line',
    header: 'Line',
    cell: ({ externalId, loadId }) => (
      <Link to={`/books/loads/${loadId}`} title="The load of the line" className="mono">
        {externalId}
      </Link>
    ),
  },
]

/** `Pay date: Feb 27, 2026 → Mar 2, 2026`, `Cash, cash per share: 0.25 → 0.3` */
function inWords({ option, field, from, to }: Change): string {
  const name = field === 'toSecNo' ? 'Security received' : wordsOf(field)
  const subject = option === '' ? name : `${option}, ${name.toLowerCase()}`
  return `${subject}: ${valueInWords(field, from)} → ${valueInWords(field, to)}`
}

function valueInWords(field: string, value: string): string {
  if (value === '') return 'none'
  if (dates.includes(field)) return renderDay(value)
  if (field !== 'type') return value
  return value === 'None' ? 'Nothing' : labelOf('corporateActionType', value)
}

const dates: readonly string[] = ['recordDate', 'exDate', 'payDate', 'deadline']
