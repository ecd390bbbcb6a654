/**
 * Stores the person of a confirmed match, and queues the search for the person's other accounts. No screening runs at
 * that moment: an application that was screened before is found by the search, and a later one finds the person.
 */
import { isDeepStrictEqual } from 'node:util'
import { type AccountRecord, type ScreenedName, screenedNames, withIdentity } from '@clearing/domain'
import type { Request } from '@clearing/protocol'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { FirmContext, FirmParts } from '../firm-rules/context.ts'
import { type Identity, identityOf, indexIdentity, sealIdentity } from '../screening/identity.ts'
import { ownLists } from '../screening/screen-parts.ts'
import { type Account, readAccount } from '../store/accounts.ts'
import { lockChangeRow, openRequest, type StoredChange } from '../store/changes.ts'
import { clearingFirmId } from '../store/firms.ts'
import { queue } from '../store/jobs.ts'
import { readConfirmationsWithoutPerson, writeListedPerson } from '../store/listed-persons.ts'
import { holdLists, readMatches, type ScreeningMatch } from '../store/screening.ts'
import { judgeAmendment } from './amend-record.ts'
import { queueSearch } from './block-listed-person.ts'
import { asFirm, asService } from './firm-context.ts'

export const rememberTask = 'remember-listed-person'

export interface RememberPayload {
  readonly firmId: string
  readonly accountNumber: string
  readonly matchId: string
  readonly traceId: string
}

/** Queues the work on a confirmed match in the transaction of the decision. Places and test values are no persons. */
export function queueRemembering(tx: Tx, match: ScreeningMatch, traceId: string): void {
  if (ownLists.includes(match.list_name)) return
  const { firm_id: firmId, account_number: accountNumber, match_id: matchId } = match
  queueOne(tx, { firmId, accountNumber, matchId, traceId })
}

function queueOne(tx: Tx, payload: RememberPayload): void {
  queue(tx, { task: rememberTask, payload, key: `${rememberTask}:${payload.matchId}`, due: null })
}

const forgottenAtOnce = 500

/** Queues the work on confirmations that an earlier release stored. */
export async function queueForgotten(tx: Tx): Promise<void> {
  for (const found of await readConfirmationsWithoutPerson(tx, ownLists, forgottenAtOnce)) {
    const { firm_id: firmId, account_number: accountNumber, match_id: matchId } = found
    queueOne(tx, { firmId, accountNumber, matchId, traceId: '' })
  }
}

export async function rememberListedPerson(
  payload: RememberPayload,
  pool: Pool,
  parts: FirmParts,
): Promise<void> {
  const confirmed = await inTransaction(pool, { firm: null, repeatable: true }, (tx) =>
    readConfirmed(tx, payload, parts),
  )
  if (confirmed === undefined) return
  const { match, identities } = confirmed
  const keys = await parts.keyring.load(clearingFirmId)
  await inTransaction(pool, { firm: null, repeatable: true }, async (tx) => {
    await holdLists(tx)
    for (const [at, identity] of identities.entries()) {
      const part = at + 1
      const { personIndex, nameIndex } = indexIdentity(keys, identity)
      const isFindable = personIndex !== null || nameIndex !== null
      const facts = sealIdentity(keys, identity, `${match.match_id}/${part}`)
      writeListedPerson(
        tx,
        {
          match_id: match.match_id,
          part,
          list_name: match.list_name,
          list_version: match.list_version,
          entry_id: match.entry_id,
          entry_version: match.entry_version,
          matched_name: match.matched_name,
          person_index: personIndex,
          name_index: nameIndex,
          facts,
          confirmed_at: match.decided_at ?? parts.clock.now().toISOString(),
          trace_id: payload.traceId,
        },
        isFindable ? null : parts.clock.now(),
      )
      if (isFindable) queueSearch(tx, { matchId: match.match_id, part, afterFirm: null })
    }
  })
}

interface ConfirmedMatch {
  readonly match: ScreeningMatch
  readonly identities: readonly Identity[]
}

async function readConfirmed(
  tx: Tx,
  { firmId, accountNumber, matchId, traceId }: RememberPayload,
  parts: FirmParts,
): Promise<ConfirmedMatch | undefined> {
  const match = (await readMatches(tx, accountNumber)).find(({ match_id }) => match_id === matchId)
  // The firm has moved to another cell, or the match was opened again.
  if (match?.decision !== 'Confirmed') return undefined
  const context = await asFirm(asService({ tx, parts, traceId }), firmId)
  const names = await parts.keyring.using(firmId, (keys) => namesOf({ ...context, keys }, match))
  const identities = names.map(identityOf)
  const [first = withoutFacts, second] = identities
  return {
    match,
    identities: second === undefined || isDeepStrictEqual(first, second) ? [first] : [first, second],
  }
}

/** A match of a trusted contact or an employer, or a person whom the record does not have any more. */
const withoutFacts: Identity = { kind: 'person', words: [], taxIdNumber: null, birthDate: null }

/** The name of the match on record, and as the change that waited for the match would make it. */
async function namesOf(context: FirmContext, match: ScreeningMatch): Promise<ScreenedName[]> {
  const { tx, keys } = context
  const account = await readAccount(tx, match.account_number, keys)
  if (account === undefined) return []
  const [customerId] = match.customer_id.split('@')
  const ofCustomer = (names: readonly ScreenedName[]) =>
    names.filter((name) => name.customerId === customerId)
  const onRecord = ofCustomer(screenedNames(account.record))
  if (match.change_id === null) return onRecord
  const waiting = await lockChangeRow(tx, match.change_id)
  if (waiting === undefined) return onRecord
  const amended = await amendedBy(waiting.change, openRequest(keys, waiting.change, waiting.sealed), {
    account,
    context,
  })
  return amended === undefined ? onRecord : [...onRecord, ...ofCustomer(screenedNames(amended))]
}

/** The record as the change would make it; undefined if the rules do not permit it. */
async function amendedBy(
  { operation, customer_ids }: StoredChange,
  request: unknown,
  { account, context }: { readonly account: Account; readonly context: FirmContext },
): Promise<AccountRecord | undefined> {
  if (operation === 'correct-identity')
    return withIdentity(account.record, request as Request<'correct-identity'>)?.amended
  const judged = await judgeAmendment(account, request as Partial<Request<'update-account'>>, context, {
    customerIds: customer_ids ?? [],
  })
  return 'rejections' in judged ? undefined : judged.amended
}
