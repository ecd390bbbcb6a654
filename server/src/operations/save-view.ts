/** save-view: saves the filters, order, columns and density of a screen under a name. */
import { limits, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { newId } from '../ids.ts'
import { writeAudit } from '../store/audit.ts'
import { countOtherViews, holdNewViews, writeView } from '../store/list-views.ts'
import type { Handler } from './context.ts'

const isPath = /^\/[a-z0-9/-]*$/i
const notPath = reject('ERR.1015', 'screen', 'Screen must be a path in the console, such as /work.')

export const saveView: Handler<'save-view'> = async (request, context) => {
  const { tx, now, caller } = context
  const { screen, name, shared = false, search } = request
  if (!isPath.test(screen)) return new Rejected([notPath])
  const ownedBy = caller.clientId
  holdNewViews(tx, ownedBy)
  if ((await countOtherViews(tx, { ownedBy, screen, name })) >= limits.viewsPerPersonMax) {
    const reason = `You have ${limits.viewsPerPersonMax} views, which is the limit.`
    return new Rejected([reject('ERR.1015', '', reason)])
  }
  const view = await writeView(tx, {
    viewId: newId(now),
    ownedBy,
    screen,
    name,
    shared,
    search,
    savedOn: now.toISOString(),
  })
  writeAudit(context, {
    action: 'save-view',
    target: view.viewId,
    changes: { screen, name, shared, search },
  })
  return view
}
