/** save-view: saves the filters, order, columns and density of a screen under a name. */
import { limits, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { newId } from '../ids.ts'
import { writeAudit } from '../store/audit.ts'
import { countOtherViews, holdNewViews, writeView } from '../store/list-views.ts'
import type { Handler } from './context.ts'
import { renderView } from './list-views.ts'

const isPath = /^\/[a-z0-9/-]*$/i
const notPath = reject('ERR.1015', 'screen', 'Screen must be a path in the console, such as /work.')

export const saveView: Handler<'save-view'> = async (request, context) => {
  const { tx, now, caller } = context
  const { screen, name, shared = false, search } = request
  if (!isPath.test(screen)) return new Rejected([notPath])
  const owner = caller.clientId
  holdNewViews(tx, owner)
  if ((await countOtherViews(tx, { owner, screen, name })) >= limits.viewsPerPersonMax) {
    const reason = `You have ${limits.viewsPerPersonMax} views, which is the limit.`
    return new Rejected([reject('ERR.1015', '', reason)])
  }
  const view = await writeView(tx, {
    view_id: newId(now),
    owner,
    screen,
    name,
    shared,
    search,
    saved_at: now.toISOString(),
  })
  writeAudit(context, {
    action: 'save-view',
    target: view.view_id,
    changes: { screen, name, shared, search },
  })
  return renderView(view)
}
