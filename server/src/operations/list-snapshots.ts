/** list-snapshots: the snapshots that can be restored. */

import { controlsOf } from '../sandbox/controls.ts'
import { renderSnapshot } from '../sandbox/snapshot-request.ts'
import type { Handler } from './context.ts'

export const listSnapshots: Handler<'list-snapshots'> = async (_request, context) => {
  const snapshots = await controlsOf(context).snapshots.list()
  return { snapshots: snapshots.map(renderSnapshot) }
}
