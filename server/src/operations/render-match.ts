/** A watch-list match as it is answered. */
import type { Data } from '@clearing/protocol'
import type { ScreeningMatch } from '../store/screening.ts'

export const renderMatch = (match: ScreeningMatch): Data<'decide-match'> => ({
  matchId: match.match_id,
  accountNumber: match.account_number,
  customerId: match.customer_id,
  entryId: match.entry_id,
  listVersion: match.list_version,
  score: match.score,
  matchedName: match.matched_name,
  reasons: match.reasons,
  decision: match.decision,
  decidedBy: match.decided_by ?? '',
  decidedOn: match.decided_at,
  expiresOn: match.expires_at === null ? null : match.expires_at.slice(0, 10),
})
