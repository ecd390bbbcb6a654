/** Clearances of matches that have ended. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { ScreeningMatch } from './screening.ts'

export interface EndedClearance {
  readonly account_number: string
  readonly firm_id: string
  readonly match_id: string
  readonly expires_at: string
}

export type ClearancePosition = readonly [expiresAt: string, matchId: string]

const selectEnded = statement<EndedClearance>(
  'select-ended-clearances',
  `select account_number, match.firm_id, match_id, expires_at
   from clearing.screening_match as match join clearing.account using (account_number)
   where decision = 'Cleared' and dropped_at is null and expires_at <= $1 and account.status in ('Open', 'Restricted')
     and (expires_at, match_id) > ($2::timestamptz, $3::uuid)
   order by expires_at, match_id limit $4`,
)
const first: ClearancePosition = ['-infinity', '00000000-0000-0000-0000-000000000000']

/** Clearances of open accounts that ended by a time, after a position. */
export function readEndedClearances(
  tx: Tx,
  by: Date,
  after: ClearancePosition | null,
  most: number,
): Promise<EndedClearance[]> {
  return tx.rows(selectEnded, [by, ...(after ?? first), most])
}

const dropCleared = statement(
  'drop-ended-clearance',
  `update clearing.screening_match set dropped_at = $3 where account_number = $1 and match_id = $2 and decision = 'Cleared'`,
)
/** Marks a cleared match that needs no further decision. */
export function writeClearanceDropped(
  tx: Tx,
  { account_number: accountNumber, match_id: matchId }: ScreeningMatch,
  at: Date,
): void {
  tx.later(dropCleared, [accountNumber, matchId, at])
}

const extendCleared = statement(
  'extend-clearance',
  `update clearing.screening_match set expires_at = $3 where account_number = $1 and match_id = $2 and decision = 'Cleared'`,
)
/** Extends the clearance to that of the same person for another account. */
export function writeClearanceExtended(
  tx: Tx,
  { account_number: accountNumber, match_id: matchId }: ScreeningMatch,
  expiresAt: string | null,
): void {
  tx.later(extendCleared, [accountNumber, matchId, expiresAt])
}
