/** list-views: the caller's saved views, and views that others share. */
import { readViews } from '../store/list-views.ts'
import type { Handler } from './context.ts'

export const listViews: Handler<'list-views'> = async ({ screen }, { tx, caller }) => ({
  views: await readViews(tx, caller.clientId, screen),
})
