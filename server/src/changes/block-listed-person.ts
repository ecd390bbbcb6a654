/**
 * Blocks the other accounts of a person who was confirmed as listed, at every firm of the cell, and rejects the
 * person's applications that wait for the decision (31 CFR chapter V: all property of the person). Works in portions
 * of firms. Each account is a transaction of its own, and the progress is stored after the last account of a portion,
 * so that a killed process loses nothing and blocks nothing twice. A firm with an account that could not be blocked is
 * searched again by a job of its own. What a firm can read names no other firm.
 */
import { type ScreenedName, screenedNames } from '@clearing/domain'
import { countOf } from '@clearing/protocol/values'
import type { Logger } from 'pino'
import { serviceActor } from '../actor.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { currentIndexKey, type FirmKeys } from '../encryption/keyring.ts'
import type { FirmContext, FirmParts } from '../firm-rules/context.ts'
import { endClearance } from '../firm-rules/settle-change.ts'
import { newId } from '../ids.ts'
import { confirmedScore, sayConfirmed } from '../screening/confirmed-persons.ts'
import { partyFingerprint } from '../screening/decisions.ts'
import { identityOf, indexIdentity, openIdentity } from '../screening/identity.ts'
import { type AccountInState, readAccount } from '../store/accounts.ts'
import { writeAuditRow } from '../store/audit.ts'
import { clearingFirmId } from '../store/firms.ts'
import { queue } from '../store/jobs.ts'
import {
  type AccountOfFirm,
  findAccountsOfPerson,
  type ListedPerson,
  lockListedPerson,
  readFindablePersons,
  readFirmsToSearch,
  readListedPerson,
  writeSearched,
} from '../store/listed-persons.ts'
import { indexesOfPerson } from '../store/parties.ts'
import { readRestrictionsOf } from '../store/restrictions.ts'
import {
  isOpenMatch,
  readMatches,
  type ScreeningMatch,
  writeMatch,
  writeMatchReason,
} from '../store/screening.ts'
import { blockAccount, decideOnMatch } from './decide-on-match.ts'
import { asFirm, asService } from './firm-context.ts'

export const searchTask = 'block-listed-person'
export const firmSearchTask = 'block-listed-person-at-firm'

export interface SearchPayload {
  readonly matchId: string
  readonly part: number
  /** The last firm of the previous portion; null at the beginning. */
  readonly afterFirm: string | null
}

/** A search at one firm, which does not change the progress of the search at all firms. */
export interface FirmSearchPayload {
  readonly matchId: string
  readonly part: number
  readonly firmId: string
}

const portionFirms = 100

export function queueSearch(tx: Tx, payload: SearchPayload): void {
  const { matchId, part, afterFirm } = payload
  const key = `${searchTask}:${matchId}:${part}:${afterFirm ?? ''}`
  queue(tx, { task: searchTask, payload, key, due: null })
}

function queueFirmSearch(tx: Tx, payload: FirmSearchPayload): void {
  const { matchId, part, firmId } = payload
  const key = `${firmSearchTask}:${matchId}:${part}:${firmId}`
  queue(tx, { task: firmSearchTask, payload, key, due: null })
}

/** Queues the comparison of the accounts of a firm that came to this cell with the persons who were confirmed here. */
export async function queueSearchesOfFirm(tx: Tx, firmId: string): Promise<void> {
  for (const { match_id: matchId, part } of await readFindablePersons(tx))
    queueFirmSearch(tx, { matchId, part, firmId })
}

/** Blocks the accounts at the next firms. The job of a finished portion does nothing. */
export async function searchPortion(
  payload: SearchPayload,
  pool: Pool,
  parts: FirmParts,
  log: Logger,
): Promise<void> {
  const { matchId, part, afterFirm } = payload
  const read = await inTransaction(pool, { firm: null, readOnly: true, repeatable: true }, async (tx) => {
    const person = await readListedPerson(tx, matchId, part)
    if (!isDue(person, payload)) return undefined
    return { person, firmIds: await readFirmsToSearch(tx, { after: afterFirm, only: null }, portionFirms) }
  })
  if (read === undefined) return
  const failed = await blockAtFirms(read, payload, { pool, parts, log })
  await inTransaction(pool, { firm: null, repeatable: true }, async (tx) => {
    const locked = await lockListedPerson(tx, matchId, part)
    if (!isDue(locked, payload)) return
    for (const firmId of new Set(failed.map(({ firm_id }) => firm_id)))
      queueFirmSearch(tx, { matchId, part, firmId })
    moveOn(tx, locked, read.firmIds, parts.clock.now())
  })
}

/** Blocks the accounts at one firm. Does nothing if the firm or the person is in another cell. */
export async function searchFirm(
  payload: FirmSearchPayload,
  pool: Pool,
  parts: FirmParts,
  log: Logger,
): Promise<void> {
  const { matchId, part, firmId } = payload
  const read = await inTransaction(pool, { firm: null, readOnly: true, repeatable: true }, async (tx) => ({
    person: await readListedPerson(tx, matchId, part),
    firmIds: await readFirmsToSearch(tx, { after: null, only: firmId }, 1),
  }))
  const { person, firmIds } = read
  if (person === undefined) return
  const failed = await blockAtFirms({ person, firmIds }, payload, { pool, parts, log })
  if (failed.length > 0)
    throw new Error(`${countOf(failed.length, 'account')} of a listed person could not be blocked`)
}

/** The accounts that could not be blocked. */
async function blockAtFirms(
  { person, firmIds }: { readonly person: ListedPerson; readonly firmIds: readonly string[] },
  payload: Search,
  { pool, parts, log }: { readonly pool: Pool; readonly parts: FirmParts; readonly log: Logger },
): Promise<AccountOfFirm[]> {
  const failed: AccountOfFirm[] = []
  for (const account of await findAccounts(person, firmIds, pool, parts)) {
    try {
      await inTransaction(pool, { firm: null, repeatable: true }, (tx) =>
        blockAtFirm(tx, payload, account, parts),
      )
    } catch (fault) {
      failed.push(account)
      log.error({ err: fault, accountNumber: account.account_number }, 'an account could not be blocked')
    }
  }
  return failed
}

type Search = SearchPayload | FirmSearchPayload

function isDue(person: ListedPerson | undefined, search: Search): person is ListedPerson {
  if (person === undefined || 'firmId' in search) return person !== undefined
  return person.ended_at === null && person.after_firm === search.afterFirm
}

/** Each firm has keys of its own, so the person has other indexes at each. */
async function findAccounts(
  person: ListedPerson,
  firmIds: readonly string[],
  pool: Pool,
  { keyring }: FirmParts,
): Promise<AccountOfFirm[]> {
  const { kind, taxIdNumber, birthDate } = await keyring.using(clearingFirmId, (keys) =>
    openIdentity(keys, person.facts, `${person.match_id}/${person.part}`),
  )
  const firms = await Promise.all(
    firmIds.map(async (firmId) => {
      const { taxIdIndex, personIndex } = indexesOfPerson(await keyring.load(firmId), taxIdNumber, birthDate)
      return kind === 'entity'
        ? { firmId, taxIdIndex, personIndex: null }
        : { firmId, taxIdIndex: null, personIndex }
    }),
  )
  return inTransaction(pool, { firm: null, readOnly: true, repeatable: true }, (tx) =>
    findAccountsOfPerson(tx, firms, person),
  )
}

function moveOn(tx: Tx, person: ListedPerson, firmIds: readonly string[], now: Date): void {
  const { match_id: matchId, part, list_name: listName, entry_id: entryId, accounts } = person
  const last = firmIds.at(-1) ?? person.after_firm
  const ends = firmIds.length < portionFirms
  writeSearched(tx, { ...person, after_firm: last }, ends ? now : null)
  if (!ends) {
    queueSearch(tx, { matchId, part, afterFirm: last })
    return
  }
  writeAuditRow(tx, {
    firmId: clearingFirmId,
    at: now,
    actor: serviceActor,
    action: searchTask,
    target: matchId,
    traceId: person.trace_id,
    detail: { listName, entryId, accounts },
  })
}

async function blockAtFirm(
  tx: Tx,
  payload: Search,
  { account_number: accountNumber, firm_id: firmId }: AccountOfFirm,
  parts: FirmParts,
): Promise<void> {
  const person = await lockListedPerson(tx, payload.matchId, payload.part)
  if (!isDue(person, payload)) return
  const context = await asFirm(asService({ tx, parts, traceId: person.trace_id }), firmId)
  const account = await parts.keyring.using(firmId, (keys) => readAccount(tx, accountNumber, keys))
  if (account === undefined) return
  const clearingKeys = await parts.keyring.load(clearingFirmId)
  let isBlocked = false
  for (const name of await namesOfPerson(tx, account, person, clearingKeys))
    isBlocked = (await confirm(context, account, name, person)) || isBlocked
  if (isBlocked) writeSearched(tx, { ...person, accounts: person.accounts + 1 }, person.ended_at)
}

/** Names of the record with the tax id and birth date of the person, or with the name, birth date and listed entry. */
async function namesOfPerson(
  tx: Tx,
  { accountNumber, record }: AccountInState,
  person: ListedPerson,
  clearingKeys: FirmKeys,
): Promise<ScreenedName[]> {
  const matches = (await readMatches(tx, accountNumber)).filter((match) => isOfEntry(match, person))
  return screenedNames(record).filter((name) => {
    const { personIndex, nameIndex } = indexIdentity(clearingKeys, identityOf(name))
    const isSame = (stored: Buffer | null, own: Buffer | null) =>
      stored !== null && own !== null && stored.equals(own)
    return (
      isSame(person.person_index, personIndex) ||
      (isSame(person.name_index, nameIndex) && matches.some((match) => isOfCustomer(match, name)))
    )
  })
}

function isOfEntry(match: ScreeningMatch, person: ListedPerson): boolean {
  return (
    match.list_name === person.list_name && match.entry_id === person.entry_id && match.dropped_at === null
  )
}

/** A match of a waiting change has the id of the change behind the customer id. */
function isOfCustomer(match: ScreeningMatch, name: ScreenedName): boolean {
  return match.customer_id.split('@')[0] === name.customerId
}

/** The firm reads it beside a rejected application, so it says nothing of other accounts. */
const neutralReason = 'A match of a watch list was confirmed.'

/** Confirms the open matches of the name with the entry, or a new one. False if nothing was left to do. */
async function confirm(
  context: FirmContext,
  account: AccountInState,
  name: ScreenedName,
  person: ListedPerson,
): Promise<boolean> {
  const { tx, now } = context
  const ofName = (await readMatches(tx, account.accountNumber)).filter(
    (match) => isOfEntry(match, person) && isOfCustomer(match, name),
  )
  const confirmed = ofName.filter(({ decision }) => decision === 'Confirmed')
  const open = ofName.filter(isOpenMatch)
  if (open.length === 0 && confirmed.length > 0) {
    // The account of the decision itself, or one whose application was confirmed by an earlier decision.
    const byPeople = confirmed.find(({ decided_by: by }) => by !== serviceActor)
    if (byPeople === undefined || account.status === 'Pending') return false
    return !(await isReleased(tx, byPeople)) && blockAccount(context, byPeople)
  }
  if (open.length === 0 && ofName.some((match) => isClearedKnowing(match, person))) return false
  const matches = open.length > 0 ? open : [newMatch(context, account, name, person, ofName[0])]
  for (const match of matches) {
    const confirmation = sayConfirmed(person.confirmed_at)
    if (open.length === 0) writeMatch(tx, match, now)
    else if (!match.reasons.some(({ field }) => field === confirmation.field))
      writeMatchReason(tx, match, confirmation)
    const decision = { cleared: false, reason: neutralReason, expiresAt: now }
    await endClearance(context, match, 'The same person was confirmed as the listed one.')
    const refused = await decideOnMatch(context, match, decision)
    // A decision on one match may have ended the others; a concurrent decision is read by the next attempt.
    if (refused !== undefined && match === matches[0]) throw new Error(refused.reason)
  }
  return true
}

/** Whether people cleared the match after the confirmation, and the match stated it. */
function isClearedKnowing({ decision, decided_at, reasons }: ScreeningMatch, person: ListedPerson): boolean {
  const isStated = reasons.some(({ field }) => field === sayConfirmed(person.confirmed_at).field)
  return decision === 'Cleared' && isStated && Date.parse(decided_at ?? '') >= Date.parse(person.confirmed_at)
}

/** Whether people have ended the restriction that a confirmation placed. What two people released stays released. */
async function isReleased(tx: Tx, { account_number, decided_at }: ScreeningMatch): Promise<boolean> {
  const placed = await readRestrictionsOf(tx, [account_number], 'Sanctions')
  const since = Date.parse(decided_at ?? '')
  return placed.some((one) => one.ended_at !== null && Date.parse(one.placed_at) >= since)
}

function newMatch(
  { keys, now }: FirmContext,
  account: AccountInState,
  name: ScreenedName,
  person: ListedPerson,
  cleared: ScreeningMatch | undefined,
): ScreeningMatch {
  const fresh: ScreeningMatch = {
    account_number: account.accountNumber,
    match_id: newId(now),
    firm_id: account.firmId,
    customer_id: name.customerId,
    list_name: person.list_name,
    list_version: person.list_version,
    entry_id: person.entry_id,
    entry_version: person.entry_version,
    score: confirmedScore,
    matched_name: person.matched_name,
    reasons: [sayConfirmed(person.confirmed_at)],
    party_fingerprint: partyFingerprint(name, currentIndexKey(keys).export()),
    decision: 'Open',
    decided_by: null,
    decided_at: null,
    reason: null,
    expires_at: null,
    field: name.field,
    change_id: null,
    restriction_id: null,
    clearance_change_id: null,
    dropped_at: null,
  }
  if (cleared === undefined) return fresh
  const { list_version, entry_version, score, matched_name, reasons } = cleared
  const customer_id = cleared.customer_id
  return {
    ...fresh,
    customer_id,
    list_version,
    entry_version,
    score,
    matched_name,
    reasons: [...reasons, ...fresh.reasons],
  }
}
