/**
 * The restrictions in force on an account, the activities that they suspend, and requests to end them. Every tab shows
 * them.
 */
import { Alert } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ends, isAbout } from '../change/waits.tsx'
import { labelOf } from '../design/codes.ts'
import { useAll } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'

export function InForce({ accountNumber }: TabProps) {
  const { rows, isPending } = useAll('list-restrictions', 'restrictions', { accountNumber, inForce: true })
  const { rows: waiting } = useAll('list-changes', 'changes', { accountNumber, state: 'Requested' })
  if (rows.length === 0 && !isPending) return null
  return (
    <Alert color="yellow" variant="light" mb="md">
      {/* It keeps its place while it is read, so that the tabs below do not move. */}
      {isPending && 'The restrictions in force are being read.'}
      {rows.map(({ restrictionId, restrictionCode, suspends }) => {
        const end = waiting.find(
          (change) => ends.includes(change.operation) && isAbout(change, 'restriction', restrictionCode),
        )
        return (
          <div key={restrictionId}>
            {labelOf('restrictionCode', restrictionCode)}: suspends{' '}
            {suspends.map((one) => labelOf('entitlement', one).toLowerCase()).join(', ')}
            {end !== undefined && (
              <>
                . <Link to={`/changes/${end.changeId}`}>The end waits for a second person.</Link>
              </>
            )}
          </div>
        )
      })}
    </Alert>
  )
}
