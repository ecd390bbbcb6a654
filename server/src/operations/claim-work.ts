/** claim-work: assigns unclaimed items to the caller, if the caller may decide on them. */
import { reject, whyNotTake } from '@clearing/protocol'
import { forEachItem } from '../changes/each-item.ts'
import { writeAudit } from '../store/audit.ts'
import { takeWork } from '../store/work.ts'
import type { Handler } from './context.ts'

export const claimWork: Handler<'claim-work'> = async ({ workIds }, context) => {
  const { tx, now, caller } = context
  const outcome = await forEachItem(context, workIds, async (item) => {
    const why = caller.person && whyNotTake(caller.person.role, item.queue)
    if (why !== undefined) return reject('ERR.1003', 'workIds', why)
    const who = await takeWork(tx, item.work_id, caller.clientId, now)
    return who === caller.clientId
      ? undefined
      : reject('ERR.2010', 'workIds', `The item is claimed by ${who}.`)
  })
  if (outcome.taken.length > 0)
    writeAudit(context, { action: 'claim-work', changes: { workIds: outcome.taken } })
  return outcome
}
