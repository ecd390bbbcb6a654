/** load-securities: adds securities or changes their facts. */
import { securitiesLoader } from '../books/loads/securities.ts'
import type { Handler } from './context.ts'
import { runLines } from './run-lines.ts'

export const loadSecurities: Handler<'load-securities'> = (_request, context) =>
  runLines('load-securities', context, securitiesLoader)
