/** save-snapshot: saves the whole state under a name. */
import { limits, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { controlsOf } from '../sandbox/controls.ts'
import { renderSnapshot, usualName } from '../sandbox/snapshot-request.ts'
import { writeAudit } from '../store/audit.ts'
import type { Handler } from './context.ts'

export const saveSnapshot: Handler<'save-snapshot'> = async ({ name = usualName }, context) => {
  const snapshot = await controlsOf(context).snapshots.save(name)
  if (snapshot === undefined) {
    const reason = `There are ${limits.sandboxSnapshotsMax} snapshots, which is the limit; save under the name of one of them.`
    return new Rejected([reject('ERR.1015', 'name', reason)])
  }
  const data = renderSnapshot(snapshot)
  writeAudit(context, { action: 'save-snapshot', target: name, changes: data })
  return data
}
