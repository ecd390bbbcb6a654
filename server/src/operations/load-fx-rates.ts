/** load-fx-rates: US dollars for one unit of a currency on a day. */
import { loadBody } from '../books/loads/load-body.ts'
import type { Handler } from './context.ts'

export const loadFxRates: Handler<'load-fx-rates'> = (request, context) =>
  loadBody('load-fx-rates', request, context)
