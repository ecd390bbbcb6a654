/** acknowledge-restore: records that the database was restored, or that files of signed heads were lost. */

import { whileAlive } from '../database/while-alive.ts'
import { writeAudit } from '../store/audit.ts'
import type { Handler } from './context.ts'

export const acknowledgeRestore: Handler<'acknowledge-restore'> = async (request, context) => {
  const { reason, filesLost = false } = request
  const { tx, parts } = context
  const signed = await whileAlive(tx, parts.auditHeads.acknowledgeRestore(tx, filesLost))
  const { checkpoint, heads } = signed ?? { checkpoint: 0, heads: [] }
  writeAudit(context, {
    action: 'acknowledge-restore',
    target: String(checkpoint),
    changes: { reason, filesLost, acknowledged: signed !== undefined },
  })
  return { acknowledged: signed !== undefined, checkpoint, heads }
}
