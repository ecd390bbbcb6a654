/**
 * review-load: records that a person reviewed the rejects and conflicts of a load, so that it is no longer open at the
 * close of the day.
 */
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { parseUuid } from '../ids.ts'
import { writeAudit } from '../store/audit.ts'
import { readLoad } from '../store/books/loads.ts'
import { noteLoadLookedAt } from '../store/open-items.ts'
import type { Handler } from './context.ts'

export const reviewLoad: Handler<'review-load'> = async (request, context) => {
  const { note = '' } = request
  const loadId = parseUuid(request.loadId)
  const { tx, now, caller } = context
  const load = loadId === undefined ? undefined : await readLoad(tx, loadId)
  if (loadId === undefined || load === undefined)
    return new Rejected([reject('ERR.2013', 'loadId', 'There is no load with this id.')])
  if (load.state === 'Running' && !load.silent)
    return new Rejected([reject('ERR.2009', 'loadId', 'The load has not ended.')])
  const looked = await noteLoadLookedAt(tx, loadId, caller.clientId, now)
  if (looked === undefined)
    return { loadId, lookedAtBy: load.lookedAtBy, lookedAtOn: load.lookedAtOn ?? load.startedAt }
  writeAudit(context, { action: 'review-load', target: loadId, changes: { rejected: load.rejected, note } })
  return { loadId, lookedAtBy: looked.looked_by, lookedAtOn: looked.looked_at }
}
