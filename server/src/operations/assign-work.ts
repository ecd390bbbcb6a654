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
  return forEachItem(context, workIds, async ({ work_id: workId, queue, account_number: accountNumber }) => {
    const why = person && whyNotTake(person.role, queue)
    if (why !== undefined) return reject('ERR.1015', 'assignedTo', why)
    if (person === undefined) await giveWorkBack(tx, workId)
    else {
      await giveWork(tx, workId, person.email, caller.clientId, now)
      writeNotification(tx, {
        recipient: person.email,
        kind: 'Assigned',
        accountNumber,
        target: workId,
        detail: queue,
        causedBy: caller.clientId,
        at: now,
        traceId,
      })
    }
    const changes = { workIds: [workId], assignedTo: person?.email ?? '' }
    writeAudit(context, { action: 'assign-work', accountNumber, changes })
    return undefined
  })
}
