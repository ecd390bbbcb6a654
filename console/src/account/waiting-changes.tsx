/** How many changes of the account wait, below its title: a colleague may have requested the same change already. */
import { Link } from '@tanstack/react-router'
import { countOf } from '../design/count.ts'
import { useAll } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'

export function WaitingChanges({ accountNumber }: TabProps) {
  const { rows } = useAll('list-changes', 'changes', { accountNumber, state: 'Requested' })
  const [only] = rows
  if (only === undefined) return null
  return (
    <>
      {' · '}
      {rows.length === 1 ? (
        <Link to={`/changes/${only.changeId}`}>1 change waits</Link>
      ) : (
        <Link to={`/accounts/${accountNumber}`} search={() => ({ tab: 'restrictions' })}>
          {countOf(rows.length, 'change')} wait
        </Link>
      )}
    </>
  )
}
