/** load-account-terms: the lot method and the house's maintenance rates of accounts. */
import { accountTermsLoader } from '../books/loads/account-terms.ts'
import type { Handler } from './context.ts'
import { runLines } from './run-lines.ts'

export const loadAccountTerms: Handler<'load-account-terms'> = (_request, context) =>
  runLines('load-account-terms', context, accountTermsLoader)
