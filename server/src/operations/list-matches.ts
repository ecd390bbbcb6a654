/** list-matches: the watch-list matches of an account, the likeliest first. */

import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { readAccountHead } from '../store/accounts.ts'
import { readMatches } from '../store/screening.ts'
import type { Handler } from './context.ts'
import { renderMatch } from './render-match.ts'

export const listMatches: Handler<'list-matches'> = async ({ accountNumber }, { tx }) => {
  if (!(await readAccountHead(tx, accountNumber))) return accountNotFound()
  return { matches: (await readMatches(tx, accountNumber)).map(renderMatch) }
}
