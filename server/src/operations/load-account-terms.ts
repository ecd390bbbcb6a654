/** load-account-terms: the lot method and the house's maintenance rates of accounts. */
import { accountTermsLoader } from '../books/loads/account-terms.ts'
import { runLines } from '../books/loads/load-body.ts'
import type { Handler } from './context.ts'

export const loadAccountTerms: Handler<'load-account-terms'> = (_request, context) =>
  runLines('load-account-terms', context, accountTermsLoader)
