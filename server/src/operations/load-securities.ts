/** load-securities: adds securities or changes their facts. */
import { loadBody } from '../books/loads/load-body.ts'
import type { Handler } from './context.ts'

export const loadSecurities: Handler<'load-securities'> = (request, context) =>
  loadBody('load-securities', request, context)
