/** assign-work: assigns items to a person who may decide on them, or returns them to the list. */
import { mayCall, reject, whyNotTake } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { forEachItem } from '../changes/each-item.ts'
import { writeAudit } from '../store/audit.ts'
import { writeNotification } from '../store/notifications.ts'
import { readStaffByEmail } from '../store/staff.ts'
import { giveWork, giveWorkBack } from '../store/work.ts'
import type { Handler } from './context.ts'

export const assignWork: Handler<'assign-work'> = async ({ workIds, assignedTo }, context) => {
  const { tx, now, caller, traceId } = context
  const person = assignedTo === undefined ? undefined : await readStaffByEmail(tx, assignedTo)
  if (assignedTo !== undefined) {
    if (person === undefined || person.disabledAt !== null)
      return new Rejected([
        reject('ERR.1015', 'assignedTo', 'No member of the staff has this e-mail address.'),
      ])
    if (!mayCall(person.role, 'claim-work'))
      return new Rejected([reject('ERR.1015', 'assignedTo', `A ${person.role} cannot decide on work items.`)])
  }
  const outcome = await forEachItem(context, workIds, async (item) => {
    const why = person && whyNotTake(person.role, item.queue)
    if (why !== undefined) return reject('ERR.1015', 'assignedTo', why)
    if (person === undefined) await giveWorkBack(tx, item.work_id)
    else {
      await giveWork(tx, item.work_id, person.email, caller.clientId, now)
      writeNotification(tx, {
        recipient: person.email,
        kind: 'Assigned',
        accountNumber: item.account_number,
        target: item.work_id,
        detail: item.queue,
        causedBy: caller.clientId,
        at: now,
        traceId,
      })
    }
    return undefined
  })
  if (outcome.taken.length > 0) {
    const changes = { workIds: outcome.taken, assignedTo: person?.email ?? '' }
    writeAudit(context, { action: 'assign-work', changes })
  }
  return outcome
}
