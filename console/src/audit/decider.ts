/** Who decided something and when, as the audit trail has it: what the firms are answered does not name the staff. */
import type { CallOf } from '@clearing/sdk'
import { given } from '../client.ts'
import { renderTime } from '../design/time.tsx'
import { useRead } from '../reads.ts'

export interface Decided {
  readonly accountNumber: string
  readonly action: string
  readonly target?: string
}

/** The person and the time of a decision, or nothing while they are not known; asks nothing when nothing is decided. */
export function useDecider(decided: Decided | undefined): string {
  const read = useRead(
    'list-audit',
    given<CallOf<'list-audit'>>({
      accountNumber: decided?.accountNumber,
      action: decided?.action,
      target: decided?.target,
      size: 1,
    }),
    { enabled: decided !== undefined },
  )
  const row = read.data?.rows[0]
  return row === undefined ? '' : ` by ${row.actor} at ${renderTime(row.at)}`
}
