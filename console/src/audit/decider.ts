/** The person and time of a decision, from the audit trail, because responses to firms do not name the staff. */
import type { CallOf } from '@clearing/sdk'
import { given } from '../client.ts'
import { renderTime } from '../design/time.tsx'
import { useRead } from '../reads.ts'

export interface Decided {
  readonly accountNumber: string
  readonly action: string
  readonly target?: string
}

/** The person and the time of a decision; undefined until they are known. Sends no request if nothing is decided. */
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
