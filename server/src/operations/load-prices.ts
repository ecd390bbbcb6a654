/** load-prices: prices of securities with their kind and time. */
import { pricesLoader } from '../books/loads/quotes.ts'
import type { Handler } from './context.ts'
import { runLines } from './run-lines.ts'

export const loadPrices: Handler<'load-prices'> = (_request, context) =>
  runLines('load-prices', context, pricesLoader)
