/** load-fx-rates: exchange rates by day, in US dollars for one unit of a currency. */
import { loadBody } from '../books/loads/load-body.ts'
import type { Handler } from './context.ts'

export const loadFxRates: Handler<'load-fx-rates'> = (request, context) =>
  loadBody('load-fx-rates', request, context)
