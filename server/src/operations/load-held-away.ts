/** load-held-away: positions that accounts hold at other custodians on a date. */
import { loadBody } from '../books/loads/load-body.ts'
import type { Handler } from './context.ts'

export const loadHeldAway: Handler<'load-held-away'> = (request, context) =>
  loadBody('load-held-away', request, context)
