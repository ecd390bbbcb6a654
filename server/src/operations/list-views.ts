/** list-views: the caller's saved views, and views that others share. */
import type { Data } from '@clearing/protocol'
import { type ListView, readViews } from '../store/list-views.ts'
import type { Handler } from './context.ts'

export const listViews: Handler<'list-views'> = async ({ screen }, { tx, caller }) => ({
  views: (await readViews(tx, caller.clientId, screen)).map(renderView),
})

export function renderView(view: ListView): Data<'save-view'> {
  return {
    viewId: view.view_id,
    screen: view.screen,
    name: view.name,
    shared: view.shared,
    search: view.search,
    ownedBy: view.owner,
    savedOn: view.saved_at,
  }
}
