/** Asks the other processes of the service to take portions of a close that one of them has begun. */
import type { Tx } from '../database/transaction.ts'
import { queue } from '../store/jobs.ts'

export const helpCloseTask = 'help-close'

/** The close, and on whose behalf it was begun. */
export interface HelpPayload {
  readonly date: string
  readonly firmId: string
  readonly clientId: string
  readonly traceId: string
  /** When the close was begun, ISO 8601. */
  readonly at: string
}

const attemptsMax = 3

/** Queues the job that any process takes; `due` null: at once. */
export function queueHelp(tx: Tx, payload: HelpPayload, due: Date | null): void {
  queue(tx, { task: helpCloseTask, payload, key: `${helpCloseTask} ${payload.date}`, due, attemptsMax })
}
