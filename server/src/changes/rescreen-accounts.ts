/**
 * Compares the new and changed entries of a watch list with the names of all open accounts of all firms, in
 * portions of accounts. A portion's matches, its progress and the next job are one transaction, so that a
 * killed process loses nothing and finds nothing twice. Changes in the meantime are screened against the
 * current list: no list changes while a change is being screened.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import { screenedNames } from '@clearing/domain'
import { serviceActor } from '../actor.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { FirmKeys, Keyring } from '../encryption/keyring.ts'
import type { FirmContext, FirmParts } from '../firm-rules/context.ts'
import { endClearance } from '../firm-rules/settle-change.ts'
import { newId } from '../ids.ts'
import { type Hit, isExact, matchesOf, openMatchRow, screenParts } from '../screening/screen-parts.ts'
import type { IndexedList } from '../screening/watch-lists.ts'
import { type Account, lockAccountRow, readOpenAccounts, type SealedAccount } from '../store/accounts.ts'
import { writeAuditRow } from '../store/audit.ts'
import { clearingFirmId } from '../store/firms.ts'
import { queue } from '../store/jobs.ts'
import {
  lockRescreeningRow,
  type Rescreening,
  readRescreening,
  writeRescreened,
  writeRescreening,
} from '../store/rescreening.ts'
import { readRestrictionsInForce } from '../store/restrictions.ts'
import { isOpenMatch, readMatches, type ScreeningMatch, writeMatch } from '../store/screening.ts'
import { placeNow } from './restrict.ts'

export const rescreenTask = 'rescreen-accounts'

export interface RescreenPayload {
  readonly rescreeningId: string
  /** The last account of the previous portion. */
  readonly after: string
}

/** The size of a portion. It takes at most one second with a list of the size of the SDN list. */
const portionAccounts = 200
/** After this many accounts, the process does other work. */
const breatheAfterAccounts = 10

export function startRescreening(
  { tx, now, caller, traceId }: FirmContext,
  gained: { readonly listName: string; readonly listVersion: string; readonly gained: readonly string[] },
): void {
  const rescreeningId = newId(now)
  writeRescreening(tx, { rescreeningId, ...gained, by: caller.clientId, at: now, traceId })
  queuePortion(tx, { rescreeningId, after: '' })
}

function queuePortion(tx: Tx, payload: RescreenPayload): void {
  const { rescreeningId, after } = payload
  queue(tx, { task: rescreenTask, payload, key: `${rescreenTask}:${rescreeningId}:${after}`, due: null })
}

/** Screens the next accounts. The job of a finished portion does nothing. */
export async function rescreenPortion(payload: RescreenPayload, pool: Pool, parts: FirmParts): Promise<void> {
  const read = await inTransaction(pool, { firm: null, readOnly: true, repeatable: true }, async (tx) => {
    const rescreening = await readRescreening(tx, payload.rescreeningId)
    if (!isDue(rescreening, payload)) return undefined
    const [accounts, lists] = await Promise.all([
      readOpenAccounts(tx, payload.after, portionAccounts),
      parts.watchLists.seen(tx),
    ])
    return {
      accounts,
      lists: lists.filter(({ listName }) => listName === rescreening.list_name),
      rescreening,
    }
  })
  if (read === undefined) return
  const { accounts, lists, rescreening } = read
  const gained = new Set(rescreening.gained)
  const named: SealedAccount[] = []
  for (const [at, sealed] of accounts.entries()) {
    if (at % breatheAfterAccounts === 0) await breathe()
    const { record } = await parts.keyring.using(sealed.firmId, (keys) => sealed.open(keys))
    if (screenedNames(record).some((name) => matchesOf(lists, name, gained).length > 0)) named.push(sealed)
  }
  await inTransaction(pool, { firm: null, repeatable: true }, async (tx) => {
    const locked = await lockRescreeningRow(tx, payload.rescreeningId)
    if (!isDue(locked, payload)) return
    const found = { matches: locked.matches, restricted: locked.restricted }
    for (const account of named) {
      const again = { tx, lists, gained, rescreening: locked, now: parts.clock.now() }
      const kept = await parts.keyring.using(account.firmId, (keys) =>
        screenAgain({ ...again, keys, keyring: parts.keyring }, account.accountNumber),
      )
      found.matches += kept.matches
      found.restricted += kept.restricted ? 1 : 0
    }
    await moveOn(tx, { ...locked, ...found }, accounts, parts.clock.now())
  })
}

function isDue(rescreening: Rescreening | undefined, { after }: RescreenPayload): rescreening is Rescreening {
  return rescreening !== undefined && rescreening.ended_at === null && rescreening.after_account === after
}

async function moveOn(
  tx: Tx,
  rescreening: Rescreening,
  accounts: readonly { readonly accountNumber: string }[],
  now: Date,
): Promise<void> {
  const last = accounts.at(-1)?.accountNumber ?? rescreening.after_account
  const moved = {
    ...rescreening,
    after_account: last,
    accounts: rescreening.accounts + accounts.length,
  }
  const ends = accounts.length < portionAccounts
  writeRescreened(tx, moved, ends ? now : null)
  if (!ends) {
    queuePortion(tx, { rescreeningId: rescreening.rescreening_id, after: last })
    return
  }
  const { list_name: listName, list_version: listVersion, gained, matches, restricted } = moved
  writeAuditRow(tx, {
    firmId: clearingFirmId,
    at: now,
    actor: serviceActor,
    action: rescreenTask,
    target: rescreening.rescreening_id,
    traceId: rescreening.trace_id,
    detail: { listName, listVersion, gained: gained.length, accounts: moved.accounts, matches, restricted },
  })
}

interface Again {
  readonly tx: Tx
  readonly lists: readonly IndexedList[]
  readonly gained: ReadonlySet<string>
  readonly rescreening: Rescreening
  readonly keys: FirmKeys
  readonly keyring: Pick<Keyring, 'load'>
  readonly now: Date
}

/** Screens a locked account with a gained name, and stores the matches that are new and not cleared. */
async function screenAgain(
  { tx, lists, gained, rescreening, keys, keyring, now }: Again,
  accountNumber: string,
): Promise<{ readonly matches: number; readonly restricted: boolean }> {
  const none = { matches: 0, restricted: false }
  const account = await lockAccountRow(tx, accountNumber, keys)
  if (account?.status !== 'Open' && account?.status !== 'Restricted') return none
  const names = screenedNames(account.record)
  const hits = (await screenParts({ tx, lists, keys, keyring, now }, { names })).filter(
    ({ listName, match, standing }) =>
      listName === rescreening.list_name && gained.has(match.entryId) && standing !== 'cleared',
  )
  const known = await readMatches(tx, accountNumber)
  const fresh = hits.filter((hit) => !known.some((match) => isOpenMatch(match) && isSame(match, hit)))
  if (fresh.length === 0) return none
  const acting = {
    tx,
    now,
    firm: { firmId: account.firmId },
    caller: { clientId: serviceActor },
    traceId: rescreening.trace_id,
  }
  const severe = fresh.some(isSevere)
  const restrictionId = severe ? await restrict(acting, account) : null
  for (const match of known.filter((one) => isOpenMatch(one) && fresh.some((hit) => isOfEntry(one, hit))))
    await endClearance(acting, match, 'The entry of the list was changed.')
  for (const hit of fresh) {
    const row: ScreeningMatch = {
      ...openMatchRow(hit, account, now),
      restriction_id: isSevere(hit) ? restrictionId : null,
    }
    writeMatch(tx, row, now)
    const { match_id, entry_id, list_version, score, restriction_id } = row
    writeAuditRow(tx, {
      firmId: account.firmId,
      at: now,
      actor: serviceActor,
      action: rescreenTask,
      accountNumber,
      target: match_id,
      traceId: rescreening.trace_id,
      detail: { entryId: entry_id, listVersion: list_version, score, restrictionId: restriction_id },
    })
  }
  return { matches: fresh.length, restricted: restrictionId !== null }
}

/** The facts of the listed person match, or a reviewer has confirmed the person as the listed one. */
function isSevere({ match, standing, confirmedAt }: Hit): boolean {
  return isExact(match) || standing === 'confirmed' || confirmedAt !== undefined
}

function isSame(known: ScreeningMatch, hit: Hit): boolean {
  const { fingerprint, match } = hit
  return (
    isOfEntry(known, hit) &&
    known.party_fingerprint === fingerprint &&
    known.entry_version === match.entryVersion
  )
}

/** Whether the hit is stored in the row of the match. */
function isOfEntry(known: ScreeningMatch, { customerId, listName, match }: Hit): boolean {
  return known.customer_id === customerId && known.list_name === listName && known.entry_id === match.entryId
}

/**
 * The restriction of the account until its matches are decided: a new one, or one that an earlier list
 * caused.
 */
async function restrict(acting: Parameters<typeof placeNow>[1], account: Account): Promise<string | null> {
  const code = 'IdentityUnderReview'
  const { accountNumber } = account
  const placed = await placeNow(
    {
      accountNumber,
      restrictionCode: code,
      reason: 'A name of the account is on a watch list that was loaded.',
    },
    acting,
  )
  if ('restriction' in placed) return placed.restriction?.restriction_id ?? null
  const inForce = await readRestrictionsInForce(acting.tx, accountNumber)
  return (
    inForce.find((restriction) => restriction.code === code && restriction.placed_by === serviceActor)
      ?.restriction_id ?? null
  )
}
