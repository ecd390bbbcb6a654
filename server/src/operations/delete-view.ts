/** delete-view: removes a view that the caller saved. */
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { uuid } from '../paging/cursor-fields.ts'
import { writeAudit } from '../store/audit.ts'
import { removeView } from '../store/list-views.ts'
import type { Handler } from './context.ts'
import { renderView } from './list-views.ts'

const notFound = reject('ERR.2013', 'viewId', 'You have no view with this id.')

export const deleteView: Handler<'delete-view'> = async ({ viewId }, context) => {
  const { tx, caller } = context
  const known = uuid(viewId.toLowerCase())
  const view = known === undefined ? undefined : await removeView(tx, known, caller.clientId)
  if (view === undefined) return new Rejected([notFound])
  const { screen, name } = view
  writeAudit(context, { action: 'delete-view', target: viewId, changes: { screen, name } })
  return renderView(view)
}
