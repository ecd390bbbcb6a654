/** Loaded watch lists, the matches found, and the decisions on them. */
import { json, statement, unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { Conditions, endOfDay, startOfDay } from './conditions.ts'

/** The list of names that no list can be compared with, which is not loaded. */
export const alphabetList = 'ALPHABET'

export interface ListVersion {
  list_name: string
  list_version: string
}

/** The advisory lock of the lists: shared for screening, exclusive for changes of a list. */
const listsLock = 4_170_080n
/** The advisory lock of a load. It is taken before the load reads the list's other files. */
const loadingLock = 4_170_081n

const lockShared = statement('await-watch-lists', 'select pg_catalog.pg_advisory_xact_lock_shared($1)')
const lockAlone = statement('hold-watch-lists', 'select pg_catalog.pg_advisory_xact_lock($1)')

/** Waits for transactions that change a list, and blocks such changes until this transaction ends. */
export function awaitLists(tx: Tx): void {
  tx.later(lockShared, [listsLock])
}
/**
 * Waits for transactions that screen, and blocks screening until this transaction ends. Must be the last lock
 * taken.
 */
export function holdLists(tx: Tx): Promise<number> {
  return tx.run(lockAlone, [listsLock])
}
/** Allows one load of a list at a time, because a list consists of all its files. */
export function holdLoading(tx: Tx): Promise<number> {
  return tx.run(lockAlone, [loadingLock])
}

const selectVersions = statement<ListVersion>(
  'select-watch-list-versions',
  'select list_name, list_version from clearing.watch_list order by list_name',
)
export function readListVersions(tx: Tx): Promise<ListVersion[]> {
  return tx.rows(selectVersions)
}

export interface ListPart {
  part: string
  content: Buffer
}

const selectParts = statement<ListPart>(
  'select-watch-list-parts',
  'select part, content from clearing.watch_list_part where list_name = $1',
)
export function readListParts(tx: Tx, listName: string): Promise<ListPart[]> {
  return tx.rows(selectParts, [listName])
}

const upsertPart = statement(
  'upsert-watch-list-part',
  `insert into clearing.watch_list_part (list_name, part, content, loaded_at, loaded_by, source) values ($1, $2, $3, $4, $5, $6)
   on conflict (list_name, part) do update set content = excluded.content, loaded_at = excluded.loaded_at,
     loaded_by = excluded.loaded_by, source = excluded.source`,
)
export function writeListPart(
  tx: Tx,
  part: { listName: string; part: string; content: Buffer; at: Date; by: string; source: string },
): void {
  tx.later(upsertPart, [part.listName, part.part, part.content, part.at, part.by, part.source])
}

const upsertList = statement(
  'upsert-watch-list',
  `insert into clearing.watch_list (list_name, list_version, entries, loaded_at) values ($1, $2, $3, $4)
   on conflict (list_name) do update set
     list_version = excluded.list_version, entries = excluded.entries, loaded_at = excluded.loaded_at`,
)
export function writeList(
  tx: Tx,
  list: { listName: string; listVersion: string; entries: number; at: Date },
): void {
  tx.later(upsertList, [list.listName, list.listVersion, list.entries, list.at])
}

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
  /** The path of the name or address in the record. */
  readonly field: string
  /** The change that waits for the decision. */
  readonly change_id: string | null
  /** The restriction placed because of the match. */
  readonly restriction_id: string | null
  /** The change in which a second person was asked to clear the match. */
  readonly clearance_change_id: string | null
  /** The time since which no decision is needed. */
  readonly dropped_at: string | null
}

export interface StoredMatch extends ScreeningMatch {
  readonly created_at: string
}

/** Whether the match waits for a decision. */
export function isOpenMatch({ decision, dropped_at }: ScreeningMatch): boolean {
  return decision === 'Open' && dropped_at === null
}

const columns = `account_number, match_id, firm_id, customer_id, list_name, list_version, entry_id, entry_version, score, matched_name,
  reasons, party_fingerprint, decision, decided_by, decided_at, reason, expires_at, field, change_id, restriction_id,
  clearance_change_id, dropped_at, created_at`

const selectMatches = statement<StoredMatch>(
  'select-screening-matches',
  `select ${columns} from clearing.screening_match where account_number = $1 order by score desc, match_id`,
)
export function readMatches(tx: Tx, accountNumber: string): Promise<StoredMatch[]> {
  return tx.rows(selectMatches, [accountNumber])
}

/** Days in US Eastern time, `yyyy-MM-dd`; both ends are included. */
export interface MatchFilter {
  readonly accountNumber?: string | undefined
  readonly firmId?: string | undefined
  /** A value of the code list `matchState`. */
  readonly decision?: string | undefined
  readonly foundFrom?: string | undefined
  readonly foundTo?: string | undefined
  readonly decidedFrom?: string | undefined
  readonly decidedTo?: string | undefined
}

function conditionsOf(filter: MatchFilter): Conditions {
  const { decision } = filter
  const c = new Conditions()
    .when(filter.accountNumber, (at) => `account_number = ${at}`)
    .when(filter.firmId, (at) => `firm_id = ${at}::uuid`)
    .when(filter.foundFrom, (at) => `created_at >= ${startOfDay(at)}`)
    .when(filter.foundTo, (at) => `created_at < ${endOfDay(at)}`)
    .when(filter.decidedFrom, (at) => `decided_at >= ${startOfDay(at)}`)
    .when(filter.decidedTo, (at) => `decided_at < ${endOfDay(at)}`)
  if (decision === undefined) return c
  if (decision === 'Dropped') return c.and('dropped_at is not null')
  return c.and('dropped_at is null').when(decision, (at) => `decision = ${at}`)
}

/** The matches of an account that pass the filter, the likeliest first. */
export function findMatchesOfAccount(
  tx: Tx,
  filter: MatchFilter & { readonly accountNumber: string },
): Promise<StoredMatch[]> {
  const c = conditionsOf(filter)
  return tx.rows(
    unprepared<StoredMatch>(
      `select ${columns} from clearing.screening_match${c.where()} order by score desc, match_id`,
    ),
    c.values,
  )
}

/** Matches after a position, the newest first. */
export function findMatches(
  tx: Tx,
  filter: MatchFilter,
  after: readonly [foundAt: string, matchId: string] | undefined,
  most: number,
): Promise<StoredMatch[]> {
  const c = conditionsOf(filter)
  if (after !== undefined)
    c.and(`(created_at, match_id) < (${c.bind(after[0])}::timestamptz, ${c.bind(after[1])}::uuid)`)
  return tx.rows(
    unprepared<StoredMatch>(
      `select ${columns} from clearing.screening_match${c.where()} order by created_at desc, match_id desc limit ${most}`,
    ),
    c.values,
  )
}

const selectDecided = statement<ScreeningMatch>(
  'select-decided-matches',
  `select ${columns} from clearing.screening_match
   where firm_id = $1 and party_fingerprint = any ($2::text[]) and decision <> 'Open'`,
)
/** The decisions on the firm's earlier matches of these persons. */
export function readDecidedMatches(
  tx: Tx,
  firmId: string,
  fingerprints: readonly string[],
): Promise<ScreeningMatch[]> {
  return tx.rows(selectDecided, [firmId, fingerprints])
}

// An existing row for the same person and entry is replaced if the person's spelling or the entry's version
// differs, or if the match no longer holds. The audit trail has its decision.
const upsertMatch = statement(
  'upsert-screening-match',
  `insert into clearing.screening_match as known
     (account_number, match_id, firm_id, customer_id, list_name, list_version, entry_id, entry_version, score, matched_name,
      reasons, party_fingerprint, decision, decided_by, decided_at, reason, expires_at, created_at, field, change_id, restriction_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
   on conflict (account_number, customer_id, list_name, entry_id) do update set
     match_id = excluded.match_id, list_version = excluded.list_version, entry_version = excluded.entry_version,
     score = excluded.score, matched_name = excluded.matched_name, reasons = excluded.reasons,
     party_fingerprint = excluded.party_fingerprint, decision = excluded.decision, decided_by = excluded.decided_by,
     decided_at = excluded.decided_at, reason = excluded.reason, expires_at = excluded.expires_at,
     created_at = excluded.created_at, field = excluded.field, change_id = excluded.change_id,
     restriction_id = excluded.restriction_id, clearance_change_id = null, dropped_at = null
   where known.dropped_at is not null
     or (known.party_fingerprint, known.entry_version) <> (excluded.party_fingerprint, excluded.entry_version)
     or (known.decision <> 'Open' and excluded.decision = 'Open')`,
)
/** Stores a match. An open match for the same question stays unchanged. */
export function writeMatch(tx: Tx, match: ScreeningMatch, at: Date): void {
  tx.later(upsertMatch, [
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
    match.field,
    match.change_id,
    match.restriction_id,
  ])
}

const addReason = statement(
  'add-screening-match-reason',
  'update clearing.screening_match set reasons = reasons || $3 where account_number = $1 and match_id = $2',
)
export function writeMatchReason(
  tx: Tx,
  { account_number: accountNumber, match_id: matchId }: ScreeningMatch,
  reason: ScreeningMatch['reasons'][number],
): void {
  tx.later(addReason, [accountNumber, matchId, json([reason])])
}

const decideMatch = statement(
  'decide-screening-match',
  `update clearing.screening_match set decision = $3, decided_by = $4, decided_at = $5, reason = $6, expires_at = $7
   where account_number = $1 and match_id = $2 and decision = 'Open' and dropped_at is null`,
)
/** False if the match was decided already. */
export async function writeMatchDecision(
  tx: Tx,
  match: ScreeningMatch,
  decision: {
    decision: 'Cleared' | 'Confirmed'
    by: string
    at: Date
    reason: string
    expiresAt: Date | null
  },
): Promise<boolean> {
  return (
    (await tx.run(decideMatch, [
      match.account_number,
      match.match_id,
      decision.decision,
      decision.by,
      decision.at,
      decision.reason,
      decision.expiresAt,
    ])) > 0
  )
}

const askClearance = statement(
  'ask-screening-clearance',
  `update clearing.screening_match set clearance_change_id = $3
   where account_number = $1 and match_id = $2 and decision = 'Open' and dropped_at is null and clearance_change_id is null`,
)
/**
 * Records that a second person was asked to clear the match. False if one was asked already, or the match was decided.
 */
export async function writeClearanceAsked(tx: Tx, match: ScreeningMatch, changeId: string): Promise<boolean> {
  return (await tx.run(askClearance, [match.account_number, match.match_id, changeId])) > 0
}

const endClearance = statement(
  'end-screening-clearance',
  'update clearing.screening_match set clearance_change_id = null where account_number = $1 and clearance_change_id = $2',
)
/** Records that the second person decided, or is no longer asked. */
export function writeClearanceEnded(tx: Tx, accountNumber: string, changeId: string): Promise<number> {
  return tx.run(endClearance, [accountNumber, changeId])
}

const dropMatches = statement<{ clearance_change_id: string | null }>(
  'drop-screening-matches',
  `update clearing.screening_match set dropped_at = $3
   where account_number = $1 and match_id = any ($2::uuid[]) and decision = 'Open' and dropped_at is null
   returning clearance_change_id`,
)
/**
 * Marks matches that need no decision any more, and returns the changes in which second persons were asked to clear
 * them.
 */
export async function writeMatchesDropped(
  tx: Tx,
  accountNumber: string,
  matches: readonly ScreeningMatch[],
  at: Date,
): Promise<string[]> {
  if (matches.length === 0) return []
  const dropped = await tx.rows(dropMatches, [accountNumber, matches.map(({ match_id }) => match_id), at])
  return dropped.flatMap(({ clearance_change_id }) => clearance_change_id ?? [])
}
