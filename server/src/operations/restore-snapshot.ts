/** restore-snapshot: restores the state that a snapshot saved. */
import { reject } from '@clearing/protocol'
import { controlsOf } from '../sandbox/controls.ts'
import { restore, usualName } from '../sandbox/snapshot-request.ts'
import type { Handler } from './context.ts'

export const restoreSnapshot: Handler<'restore-snapshot'> = async ({ name = usualName }, context) => {
  const known = await controlsOf(context).snapshots.list()
  const names = known.map((snapshot) => snapshot.name).join(', ')
  return restore(
    'restore-snapshot',
    name,
    context,
    reject('ERR.2013', 'name', `There is no such snapshot. The snapshots are: ${names || 'none'}.`),
  )
}
