/** settle-work: failed jobs and deliveries are tried again, and breaks that were looked at leave the inbox. */
import { reject } from '@clearing/protocol'
import type { Handler } from '../context.ts'
import { writeAudit } from '../store/audit.ts'
import { resolveBreaks } from '../store/books/breaks.ts'
import { retryJob, settleItem } from '../store/work.ts'
import { forEachItem } from './each-item.ts'

export const settleWork: Handler<'settle-work'> = async ({ workIds, reason }, context) => {
  const { tx, now, caller } = context
  const outcome = await forEachItem(context, workIds, async (item) => {
    switch (item.queue) {
      case 'Job':
        return (await retryJob(tx, item.item_id))
          ? undefined
          : reject('ERR.2013', 'workIds', 'The job is gone, or is being worked on.')
      case 'Break':
        // Nothing but a look makes an end of what was done on a restricted account.
        if (item.subject === 'Suspended') resolveBreaks(tx, [item.item_id], now)
        await settleItem(tx, item.work_id, caller.clientId, now, reason)
        return undefined
      case 'Webhook':
        await settleItem(tx, item.work_id, caller.clientId, now, reason)
        return undefined
      default:
        return reject('ERR.1015', 'workIds', `A ${item.queue} is decided on, not settled.`)
    }
  })
  if (outcome.taken.length > 0)
    writeAudit(context, { action: 'settle-work', changes: { workIds: outcome.taken, reason } })
  return outcome
}
