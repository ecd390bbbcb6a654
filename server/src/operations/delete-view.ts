/** delete-view: removes a view that the caller saved. */
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { parseUuid } from '../ids.ts'
import { writeAudit } from '../store/audit.ts'
import { removeView } from '../store/list-views.ts'
import type { Handler } from './context.ts'

const notFound = reject('ERR.2013', 'viewId', 'You have no view with this id.')

export const deleteView: Handler<'delete-view'> = async (request, context) => {
  const { tx, caller } = context
  const viewId = parseUuid(request.viewId)
  const view = viewId === undefined ? undefined : await removeView(tx, viewId, caller.clientId)
  if (viewId === undefined || view === undefined) return new Rejected([notFound])
  const { screen, name } = view
  writeAudit(context, { action: 'delete-view', target: viewId, changes: { screen, name } })
  return view
}
