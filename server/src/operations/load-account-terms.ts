/** load-account-terms: the lot method and the house's maintenance rates of accounts. */
import { loadBody } from '../books/loads/load-body.ts'
import type { Handler } from './context.ts'

export const loadAccountTerms: Handler<'load-account-terms'> = (request, context) =>
  loadBody('load-account-terms', request, context)
