/**
 * The restrictions in force on an account, the activities that they suspend, and requests to end them. Every tab shows
 * them, and so does the correction of the record.
 */
import { Alert } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ends, isAbout } from '../change/waits.tsx'
import { labelOf } from '../design/codes.ts'
import { useAll } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'
import { entitlementsInWords } from './suspends.ts'

interface InForceProps extends TabProps {
  /** Whether the record is being corrected below. */
  readonly onCorrection?: boolean
}

export function InForce({ accountNumber, onCorrection = false }: InForceProps) {
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
            {labelOf('restrictionCode', restrictionCode)}: suspends {entitlementsInWords(suspends)}
            {onCorrection && suspends.includes('Changes') && <strong>. {whatIsSent(restrictionCode)}</strong>}
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

/** A temporary hold lets trusted contacts through, which a principal approves (decision 326). */
function whatIsSent(restrictionCode: string): string {
  return restrictionCode === 'ProtectedAdult'
    ? 'Until it ends, only a correction of the trusted contact alone can be sent, and a principal approves it'
    : 'No correction can be sent until it ends'
}
