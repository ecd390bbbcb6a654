/**
 * Changes of the account whose matches are open, with old and new values: those that wait for the decisions, and those
 * that their firm has withdrawn.
 */
import { Link } from '@tanstack/react-router'
import { FieldChanges } from '../change/field-changes.tsx'
import type { Answered } from '../client.ts'
import { countOf } from '../design/count.ts'
import { Panel } from '../design/panel.tsx'
import { useAll } from '../reads.ts'

export type ChangeOfMatch = Answered<'list-changes'>['changes'][number]

/** The changes of the account that wait, and those that were withdrawn. */
export function useChangesOfMatches(accountNumber: string) {
  const waiting = useAll('list-changes', 'changes', { accountNumber, state: 'Requested' })
  const withdrawn = useAll('list-changes', 'changes', { accountNumber, state: 'Withdrawn' })
  return { waiting, withdrawn, rows: [...waiting.rows, ...withdrawn.rows] }
}

export function WaitingChanges({ accountNumber }: { readonly accountNumber: string }) {
  const { rows } = useChangesOfMatches(accountNumber)
  const open = rows.filter(({ openMatches }) => openMatches > 0)
  return open.map((change) => (
    <Panel
      key={change.changeId}
      title={isWithdrawn(change) ? 'Withdrawn change' : 'Waiting change'}
      note={noteOf(change)}
      acts={<Link to={`/changes/${change.changeId}`}>Change</Link>}
      flush
    >
      <FieldChanges
        label="Fields"
        changes={change.fields}
        empty="The change affects no field of the record."
      />
    </Panel>
  ))
}

export function isWithdrawn({ state }: Pick<ChangeOfMatch, 'state'>): boolean {
  return state === 'Withdrawn'
}

function noteOf(change: ChangeOfMatch): string {
  const { requestedBy, decidedBy, openMatches } = change
  const matches = countOf(openMatches, 'match', 'matches')
  return isWithdrawn(change)
    ? `requested by ${requestedBy}, withdrawn by ${decidedBy}, and still reviewed: ${matches}`
    : `requested by ${requestedBy}, waits for ${matches}`
}
