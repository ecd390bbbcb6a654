/** The queues whose work a person of the role may claim. */
import { type CodeOf, type StaffRole, whyNotTake } from '@clearing/protocol'
import { queues } from './queues.ts'

type QueueCode = CodeOf<'workQueue'>

/** All queues for a role that claims no work, such as a viewer. */
export function ownQueuesOf(role: string): QueueCode[] {
  const all = Object.keys(queues) as QueueCode[]
  const own = all.filter((queue) => whyNotTake(role as StaffRole, queue) === undefined)
  return own.length === 0 ? all : own
}
