/** claim-work: assigns unclaimed items to the caller, if the caller may decide on them. */
import { reject, whyNotTake } from '@clearing/protocol'
import { forEachItem } from '../changes/each-item.ts'
import { writeAudit } from '../store/audit.ts'
import { takeWork } from '../store/work.ts'
import type { Handler } from './context.ts'

export const claimWork: Handler<'claim-work'> = ({ workIds }, context) => {
  const { tx, now, caller } = context
  return forEachItem(context, workIds, async ({ work_id: workId, queue, account_number: accountNumber }) => {
    const why = caller.person && whyNotTake(caller.person.role, queue)
    if (why !== undefined) return reject('ERR.1003', 'workIds', why)
    const who = await takeWork(tx, workId, caller.clientId, now)
    if (who !== caller.clientId) return reject('ERR.2010', 'workIds', `The item is claimed by ${who}.`)
    writeAudit(context, { action: 'claim-work', accountNumber, changes: { workIds: [workId] } })
    return undefined
  })
}
