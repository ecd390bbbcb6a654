/**
 * list-matches: the watch-list matches of an account, the likeliest first, or those of all accounts by filter, the
 * newest first; with the listed entries for comparison.
 */
import { limits, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { readFirmFilter } from '../identity/firm-request.ts'
import { checkDayRanges } from '../paging/check-day-ranges.ts'
import { cursorOf } from '../paging/cursor.ts'
import { time, uuid } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { listedEntries } from '../screening/listed-entries.ts'
import { renderEntry } from '../screening/render-entry.ts'
import { renderMatch } from '../screening/render-match.ts'
import { readAccountHead } from '../store/accounts.ts'
import { findMatches, findMatchesOfAccount, type StoredMatch } from '../store/screening.ts'
import type { Context, Handler } from './context.ts'

const places = cursorOf('list-matches', [time, uuid])

export const listMatches: Handler<'list-matches'> = async (request, context) => {
  const { tx, firm } = context
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const firmId = readFirmFilter(request.firmId)
  if (firmId instanceof Rejected) return firmId
  const wrong = checkDayRanges(request, [
    ['foundFrom', 'foundTo'],
    ['decidedFrom', 'decidedTo'],
  ])
  if (wrong.length > 0) return new Rejected(wrong)
  const { accountNumber, decision, size = limits.pageSizeDefault } = request
  const { foundFrom, foundTo, decidedFrom, decidedTo } = request
  const filter = { firmId, decision, foundFrom, foundTo, decidedFrom, decidedTo }
  if (accountNumber !== undefined) {
    if (after !== undefined)
      return new Rejected([reject('ERR.1016', 'after', 'The matches of an account are on one page.')])
    if (!(await readAccountHead(tx, accountNumber))) return accountNotFound(firm)
    const matches = await findMatchesOfAccount(tx, { ...filter, accountNumber })
    return { matches: await besideEntries(context, matches), next: '' }
  }
  const found = await findMatches(tx, filter, after, size + 1)
  const { rows, next } = pageOfRows(found, size, places, (row) => [row.created_at, row.match_id])
  return { matches: await besideEntries(context, rows), next }
}

async function besideEntries({ tx, parts }: Context, matches: readonly StoredMatch[]) {
  const find = await listedEntries(tx, parts.watchLists, matches)
  return matches.map((match) => ({
    ...renderMatch(match),
    entry: renderEntry(find(match), match.entry_version),
  }))
}
