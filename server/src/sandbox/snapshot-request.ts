/** Requests that restore a snapshot, and snapshots in the form of responses. */
import { type Data, type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { Snapshot } from '../store/snapshots.ts'
import { renderClock } from './clock-request.ts'
import { controlsOf, type SandboxContext } from './controls.ts'
import type { RestoreOutcome } from './snapshots.ts'

const retryAfterSeconds = 2
/** The name of a snapshot without a given one. */
export const usualName = 'default'

export function renderSnapshot(snapshot: Snapshot): Data<'save-snapshot'> {
  return {
    name: snapshot.name,
    takenOn: new Date(snapshot.taken_at).toISOString(),
    clock: new Date(snapshot.clock_at).toISOString(),
    businessDate: snapshot.business_date,
    rows: Number(snapshot.rows),
  }
}

/**
 * Restores a snapshot. The request's own transaction is not used, because the restore would wait for its locks. The
 * audit row is written in the transaction of the restore.
 */
export async function restore(
  operation: string,
  name: string,
  context: SandboxContext,
  absent: Rejection,
): Promise<Data<'restore-snapshot'> | Rejected> {
  const { firm, caller, traceId, parts } = context
  const { snapshots, mover } = controlsOf(context)
  if (mover.moving) return busy
  parts.identity.expectChange()
  const outcome = await snapshots.restore(name, {
    firmId: firm.firmId,
    clientId: caller.clientId,
    traceId,
    operation,
  })
  if (outcome.kind !== 'restored') return refuse(outcome.kind, absent)
  const { snapshot, now, durationMs } = outcome.restored
  return { ...(await renderClock(context, now)), snapshot: renderSnapshot(snapshot), durationMs }
}

const busy = new Rejected(
  [
    reject(
      'ERR.5003',
      '',
      'Calls or moves of the clock in progress did not end in time; nothing was changed.',
    ),
  ],
  undefined,
  retryAfterSeconds,
)

function refuse(kind: Exclude<RestoreOutcome['kind'], 'restored'>, absent: Rejection): Rejected {
  if (kind === 'busy') return busy
  if (kind === 'absent') return new Rejected([absent])
  const reason = 'The snapshot was saved by another version of the service and cannot be restored.'
  return new Rejected([reject('ERR.1015', 'name', reason)])
}
