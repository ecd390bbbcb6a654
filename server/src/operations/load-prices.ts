/** load-prices: prices of securities with their kind and time. */
import { loadBody } from '../books/loads/load-body.ts'
import type { Handler } from './context.ts'

export const loadPrices: Handler<'load-prices'> = (request, context) =>
  loadBody('load-prices', request, context)
