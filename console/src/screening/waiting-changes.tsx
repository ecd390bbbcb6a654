/** Changes of the account that wait for decisions on their matches, with old and new values. */
import { Link } from '@tanstack/react-router'
import { FieldChanges } from '../change/field-changes.tsx'
import { countOf } from '../design/count.ts'
import { Panel } from '../design/panel.tsx'
import { useAll } from '../reads.ts'

export function WaitingChanges({ accountNumber }: { readonly accountNumber: string }) {
  const { rows } = useAll('list-changes', 'changes', { accountNumber, state: 'Requested' })
  const waiting = rows.filter(({ openMatches }) => openMatches > 0)
  return waiting.map(({ changeId, fields, requestedBy, openMatches }) => (
    <Panel
      key={changeId}
      title="Waiting change"
      note={`requested by ${requestedBy}, waits for ${countOf(openMatches, 'match', 'matches')}`}
      acts={<Link to={`/changes/${changeId}`}>Change</Link>}
      flush
    >
      <FieldChanges label="Fields" changes={fields} empty="The change affects no field of the record." />
    </Panel>
  ))
}
