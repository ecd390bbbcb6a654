/** load-corporate-actions: announcements of corporate actions and their cancels. */
import { loadBody } from '../books/loads/load-body.ts'
import type { Handler } from './context.ts'

export const loadCorporateActions: Handler<'load-corporate-actions'> = (request, context) =>
  loadBody('load-corporate-actions', request, context)
