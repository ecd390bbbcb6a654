/** load-activity: posts each line of activity to the books as a balanced entry. */
import { loadBody } from '../books/loads/load-body.ts'
import type { Handler } from './context.ts'

export const loadActivity: Handler<'load-activity'> = (request, context) =>
  loadBody('load-activity', request, context)
