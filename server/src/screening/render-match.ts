/** A watch-list match, in the form of responses. */
import type { Data } from '@clearing/protocol'
import { easternDay } from '../store/books/calendar.ts'
import type { ScreeningMatch, StoredMatch } from '../store/screening.ts'
import { placesList } from './screen-parts.ts'

export function renderMatch(match: StoredMatch): Data<'decide-match'> {
  return {
    matchId: match.match_id,
    accountNumber: match.account_number,
    firmId: match.firm_id,
    foundOn: match.created_at,
    customerId: customerOf(match),
    listName: match.list_name,
    entryId: match.entry_id,
    listVersion: match.list_version,
    score: match.score,
    matchedName: match.matched_name,
    field: match.field,
    changeId: match.change_id ?? '',
    reasons: match.reasons,
    decision: match.dropped_at === null ? match.decision : 'Dropped',
    clearanceChangeId: match.clearance_change_id ?? '',
    decidedBy: match.decided_by ?? '',
    decidedOn: match.decided_at,
    reason: match.reason ?? '',
    expiresOn: match.expires_at === null ? null : easternDay(new Date(match.expires_at)),
  }
}

/**
 * The subject of a match, without the parts that distinguish its rows: the waiting change, and the number of the
 * address.
 */
function customerOf({ customer_id: key, list_name: listName }: ScreeningMatch): string {
  const [customer = ''] = key.split('@')
  return listName === placesList ? (customer.split(':')[0] ?? '') : customer
}
