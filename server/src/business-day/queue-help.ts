/** Asks the other processes of the service to take portions of a close that one of them has begun. */
import type { Tx } from '../database/transaction.ts'
import { queue } from '../store/jobs.ts'

export const helpCloseTask = 'help-close'

/** The close, and the caller who requested it. */
export interface HelpPayload {
  readonly date: string
  readonly firmId: string
  readonly clientId: string
  readonly traceId: string
  /** The time at which the close began, ISO 8601. */
  readonly at: string
}

const attemptsMax = 3

/** Queues the job that any process may take. A `due` of null means at once. */
export function queueHelp(tx: Tx, payload: HelpPayload, due: Date | null): void {
  queue(tx, { task: helpCloseTask, payload, key: `${helpCloseTask} ${payload.date}`, due, attemptsMax })
}
