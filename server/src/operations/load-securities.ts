/** load-securities: adds securities or changes their facts. */

import { runLines } from '../books/loads/load-body.ts'
import { securitiesLoader } from '../books/loads/securities.ts'
import type { Handler } from './context.ts'

export const loadSecurities: Handler<'load-securities'> = (_request, context) =>
  runLines('load-securities', context, securitiesLoader)
