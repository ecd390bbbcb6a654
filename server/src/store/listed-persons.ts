/**
 * Persons who were confirmed as listed, and the search for their accounts at all firms. Applications of every firm
 * look up the indexes; all else is visible to operations only.
 */
import { serviceActor } from '../actor.ts'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

export interface ListedPerson {
  readonly match_id: string
  readonly part: number
  readonly list_name: string
  readonly list_version: string
  readonly entry_id: string
  readonly entry_version: string
  readonly matched_name: string
  readonly person_index: Buffer | null
  readonly name_index: Buffer | null
  /** Sealed under the key of the clearing firm. */
  readonly facts: Buffer
  readonly confirmed_at: string
  readonly trace_id: string
  /** The last firm whose accounts were searched. */
  readonly after_firm: string | null
  readonly accounts: number
  readonly ended_at: string | null
}

const columns =
  'match_id, part, list_name, list_version, entry_id, entry_version, matched_name, person_index, name_index, facts, ' +
  'confirmed_at, trace_id, after_firm, accounts, ended_at'

const insertPerson = statement(
  'insert-listed-person',
  `insert into clearing.listed_person (match_id, part, list_name, list_version, entry_id, entry_version, matched_name, person_index,
     name_index, facts, confirmed_at, trace_id, ended_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict do nothing`,
)
/** A person whose accounts are being searched is stored unchanged. */
export function writeListedPerson(
  tx: Tx,
  person: Omit<ListedPerson, 'after_firm' | 'accounts' | 'ended_at'>,
  endedAt: Date | null,
): void {
  tx.later(insertPerson, [
    person.match_id,
    person.part,
    person.list_name,
    person.list_version,
    person.entry_id,
    person.entry_version,
    person.matched_name,
    person.person_index,
    person.name_index,
    person.facts,
    person.confirmed_at,
    person.trace_id,
    endedAt,
  ])
}

export type KnownPerson = Pick<
  ListedPerson,
  'list_name' | 'entry_id' | 'person_index' | 'name_index' | 'confirmed_at'
>

const selectKnown = statement<KnownPerson>(
  'select-known-listed-persons',
  `select list_name, entry_id, person_index, name_index, max(confirmed_at) as confirmed_at from clearing.listed_person
   where person_index = any ($1::bytea[]) or name_index = any ($2::bytea[])
   group by list_name, entry_id, person_index, name_index`,
)
/** Confirmed persons with one of the indexes. */
export async function readKnownPersons(
  tx: Tx,
  personIndexes: readonly Buffer[],
  nameIndexes: readonly Buffer[],
): Promise<KnownPerson[]> {
  if (personIndexes.length + nameIndexes.length === 0) return []
  return tx.rows(selectKnown, [personIndexes, nameIndexes])
}

const selectPerson = statement<ListedPerson>(
  'select-listed-person',
  `select ${columns} from clearing.listed_person where match_id = $1 and part = $2`,
)
const lockPerson = statement<ListedPerson>(
  'lock-listed-person',
  `select ${columns} from clearing.listed_person where match_id = $1 and part = $2 for no key update`,
)
export function readListedPerson(tx: Tx, matchId: string, part: number): Promise<ListedPerson | undefined> {
  return tx.row(selectPerson, [matchId, part])
}
export function lockListedPerson(tx: Tx, matchId: string, part: number): Promise<ListedPerson | undefined> {
  return tx.row(lockPerson, [matchId, part])
}

const updateSearched = statement(
  'update-listed-person',
  'update clearing.listed_person set after_firm = $3, accounts = $4, ended_at = $5 where match_id = $1 and part = $2',
)
/** Stores the progress of the search. The row is locked. */
export function writeSearched(
  tx: Tx,
  { match_id, part, after_firm, accounts }: ListedPerson,
  endedAt: Date | string | null,
): void {
  tx.later(updateSearched, [match_id, part, after_firm, accounts, endedAt])
}

const selectFirmsToSearch = statement<{ firm_id: string }>(
  'select-firms-to-search',
  `select firm_id from clearing.firm
   where ($1::uuid is null or firm_id > $1) and ($2::uuid is null or firm_id = $2)
     and not exists (
       select from clearing.moving_firm as moving where moving.firm_id = firm.firm_id and moving.state = 'Moved')
   order by firm_id limit $3`,
)
/** The next firms, or one firm, of those that have not moved to another cell, in their order. */
export async function readFirmsToSearch(
  tx: Tx,
  { after, only }: { readonly after: string | null; readonly only: string | null },
  most: number,
): Promise<string[]> {
  return (await tx.rows(selectFirmsToSearch, [after, only, most])).map(({ firm_id }) => firm_id)
}

const selectFindable = statement<Pick<ListedPerson, 'match_id' | 'part'>>(
  'select-findable-listed-persons',
  `select match_id, part from clearing.listed_person
   where person_index is not null or name_index is not null order by match_id, part`,
)
/** All persons of the cell who can be found by number or by name. */
export function readFindablePersons(tx: Tx): Promise<Pick<ListedPerson, 'match_id' | 'part'>[]> {
  return tx.rows(selectFindable)
}

const selectRunning = statement<{ running: boolean }>(
  'select-any-search-of-listed-person',
  'select exists (select from clearing.listed_person where ended_at is null) as running',
)
/** Whether accounts of a listed person are being searched. */
export async function isAnyPersonSearched(tx: Tx): Promise<boolean> {
  return (await tx.row(selectRunning))?.running === true
}

export interface AccountOfFirm {
  readonly account_number: string
  readonly firm_id: string
}

const selectForgotten = statement<AccountOfFirm & { match_id: string }>(
  'select-confirmations-without-person',
  `select account_number, firm_id, match_id from clearing.screening_match as match
   where decision = 'Confirmed' and decided_by <> '${serviceActor}' and list_name <> all ($1::text[])
     and not exists (select from clearing.listed_person as person where person.match_id = match.match_id)
     and not exists (
       select from clearing.account join clearing.restriction as ended using (account_number)
       where account_number = match.account_number and status in ('Open', 'Restricted') and ended.code = 'Sanctions'
         and ended.ended_at is not null and ended.placed_at >= match.decided_at
         and not exists (
           select from clearing.restriction as held
           where held.account_number = match.account_number and held.code = 'Sanctions' and held.ended_at is null))
   order by match_id limit $2`,
)
/**
 * Confirmations by people, on other lists than those given, whose person is not stored yet. A confirmation counts as
 * withdrawn after people have ended the restriction that it placed.
 */
export function readConfirmationsWithoutPerson(
  tx: Tx,
  exceptLists: readonly string[],
  most: number,
): Promise<(AccountOfFirm & { match_id: string })[]> {
  return tx.rows(selectForgotten, [exceptLists, most])
}

const selectAccounts = statement<AccountOfFirm>(
  'select-accounts-of-listed-person',
  `with firm as materialized (
     select * from unnest($1::uuid[], $2::bytea[], $3::bytea[]) as given (firm_id, person_index, tax_id_index)
   ), found as (
     select account_number from firm join clearing.party using (firm_id, person_index)
     union select account_number from firm join clearing.party using (firm_id, tax_id_index)
     union select account_number from clearing.screening_match
       where list_name = $4 and entry_id = $5 and firm_id = any ($1::uuid[]) and dropped_at is null
   )
   select account_number, account.firm_id from found join clearing.account using (account_number)
   where account.status in ('Pending', 'Open', 'Restricted') order by account_number`,
)
/**
 * Open accounts and applications of some firms that may be of the person: by the indexes of each firm, or by a match
 * with the same entry.
 */
export function findAccountsOfPerson(
  tx: Tx,
  firms: readonly {
    readonly firmId: string
    readonly personIndex: Buffer | null
    readonly taxIdIndex: Buffer | null
  }[],
  { list_name: listName, entry_id: entryId }: ListedPerson,
): Promise<AccountOfFirm[]> {
  return tx.rows(selectAccounts, [
    firms.map(({ firmId }) => firmId),
    firms.map(({ personIndex }) => personIndex),
    firms.map(({ taxIdIndex }) => taxIdIndex),
    listName,
    entryId,
  ])
}
