/** list-matches: the watch-list matches of an account, the likeliest first, with the listed entries for comparison. */

import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { listedEntries } from '../screening/listed-entries.ts'
import { renderEntry } from '../screening/render-entry.ts'
import { renderMatch } from '../screening/render-match.ts'
import { readAccountHead } from '../store/accounts.ts'
import { readMatches } from '../store/screening.ts'
import type { Handler } from './context.ts'

export const listMatches: Handler<'list-matches'> = async ({ accountNumber }, { firm, tx, parts }) => {
  if (!(await readAccountHead(tx, accountNumber))) return accountNotFound(firm)
  const matches = await readMatches(tx, accountNumber)
  const find = await listedEntries(tx, parts.watchLists, matches)
  return {
    matches: matches.map((match) => ({
      ...renderMatch(match),
      entry: renderEntry(find(match), match.entry_version),
    })),
  }
}
