/** Watch lists as they were loaded, the matches found, and what was decided of them. */
import { json, statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

export interface ListVersion {
  list_name: string
  list_version: string
}

const selectVersions = statement<ListVersion>(
  'select-watch-list-versions',
  'select list_name, list_version from clearing.watch_list order by list_name',
)
export const readListVersions = (tx: Tx): Promise<ListVersion[]> => tx.rows(selectVersions)

export interface ListPart {
  part: 'sdn' | 'alt' | 'add'
  content: Buffer
}

const selectParts = statement<ListPart>(
  'select-watch-list-parts',
  'select part, content from clearing.watch_list_part where list_name = $1',
)
export const readListParts = (tx: Tx, listName: string): Promise<ListPart[]> =>
  tx.rows(selectParts, [listName])

const upsertPart = statement(
  'upsert-watch-list-part',
  `insert into clearing.watch_list_part (list_name, part, content, loaded_at) values ($1, $2, $3, $4)
   on conflict (list_name, part) do update set content = excluded.content, loaded_at = excluded.loaded_at`,
)
export const writeListPart = (
  tx: Tx,
  part: { listName: string; part: string; content: Buffer; at: Date },
): void => tx.later(upsertPart, [part.listName, part.part, part.content, part.at])

const upsertList = statement(
  'upsert-watch-list',
  `insert into clearing.watch_list (list_name, list_version, entries, loaded_at) values ($1, $2, $3, $4)
   on conflict (list_name) do update set
     list_version = excluded.list_version, entries = excluded.entries, loaded_at = excluded.loaded_at`,
)
export const writeList = (
  tx: Tx,
  list: { listName: string; listVersion: string; entries: number; at: Date },
): void => tx.later(upsertList, [list.listName, list.listVersion, list.entries, list.at])

export interface ScreeningMatch {
  readonly account_number: string
  readonly match_id: string
  readonly firm_id: string
  readonly customer_id: string
  readonly list_name: string
  readonly list_version: string
  readonly entry_id: string
  readonly entry_version: string
  readonly score: number
  readonly matched_name: string
  readonly reasons: { field: string; outcome: string; detail: string }[]
  readonly party_fingerprint: string
  readonly decision: 'Open' | 'Cleared' | 'Confirmed'
  readonly decided_by: string | null
  readonly decided_at: string | null
  readonly reason: string | null
  readonly expires_at: string | null
}

const columns = `account_number, match_id, firm_id, customer_id, list_name, list_version, entry_id, entry_version, score, matched_name,
  reasons, party_fingerprint, decision, decided_by, decided_at, reason, expires_at`

const selectMatches = statement<ScreeningMatch>(
  'select-screening-matches',
  `select ${columns} from clearing.screening_match where account_number = $1 order by score desc, match_id`,
)
export const readMatches = (tx: Tx, accountNumber: string): Promise<ScreeningMatch[]> =>
  tx.rows(selectMatches, [accountNumber])

const selectDecided = statement<ScreeningMatch>(
  'select-decided-matches',
  `select ${columns} from clearing.screening_match
   where firm_id = $1 and party_fingerprint = any ($2::text[]) and decision <> 'Open'`,
)
/** What the firm's earlier matches of these persons were decided to be. */
export const readDecidedMatches = (
  tx: Tx,
  firmId: string,
  fingerprints: readonly string[],
): Promise<ScreeningMatch[]> => tx.rows(selectDecided, [firmId, fingerprints])

const insertMatch = statement(
  'insert-screening-match',
  `insert into clearing.screening_match
     (account_number, match_id, firm_id, customer_id, list_name, list_version, entry_id, entry_version, score, matched_name,
      reasons, party_fingerprint, decision, decided_by, decided_at, reason, expires_at, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
   on conflict (account_number, customer_id, list_name, entry_id) do nothing`,
)
export const writeMatch = (tx: Tx, match: ScreeningMatch, at: Date): void =>
  tx.later(insertMatch, [
    match.account_number,
    match.match_id,
    match.firm_id,
    match.customer_id,
    match.list_name,
    match.list_version,
    match.entry_id,
    match.entry_version,
    match.score,
    match.matched_name,
    json(match.reasons),
    match.party_fingerprint,
    match.decision,
    match.decided_by,
    match.decided_at,
    match.reason,
    match.expires_at,
    at,
  ])

const decideMatch = statement(
  'decide-screening-match',
  `update clearing.screening_match set decision = $3, decided_by = $4, decided_at = $5, reason = $6, expires_at = $7
   where account_number = $1 and match_id = $2 and decision = 'Open'`,
)
/** False when it was decided already. */
export const writeMatchDecision = async (
  tx: Tx,
  match: ScreeningMatch,
  decision: {
    decision: 'Cleared' | 'Confirmed'
    by: string
    at: Date
    reason: string
    expiresAt: Date | null
  },
): Promise<boolean> =>
  (await tx.run(decideMatch, [
    match.account_number,
    match.match_id,
    decision.decision,
    decision.by,
    decision.at,
    decision.reason,
    decision.expiresAt,
  ])) > 0
