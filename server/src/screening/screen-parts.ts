/**
 * Screens names against the lists in force and against the persons who were confirmed as listed, at any firm, and
 * addresses against the sanctioned places. Reports for each match whether an earlier decision of the same firm is
 * valid. Writes nothing.
 */
import { createHmac } from 'node:crypto'
import {
  findSanctionedPlaces,
  type ScreenedAddress,
  type ScreenedName,
  sanctionedPlacesAsOf,
} from '@clearing/domain'
import type { Tx } from '../database/transaction.ts'
import { currentIndexKey, type FirmKeys, type Keyring } from '../encryption/keyring.ts'
import { newId } from '../ids.ts'
import { easternDay } from '../store/books/calendar.ts'
import { clearingFirmId } from '../store/firms.ts'
import { readKnownPersons } from '../store/listed-persons.ts'
import { alphabetList, readDecidedMatches, type ScreeningMatch } from '../store/screening.ts'
import { type Confirmation, confirmationsOf, sayConfirmed } from './confirmed-persons.ts'
import { decisionInForce, partyFingerprint, type ScreeningDecision } from './decisions.ts'
import { identityOf, indexIdentity } from './identity.ts'
import { listUnscreenableNames, MATCH_SCORE_MIN, type Match, screenParty } from './match-names.ts'
import type { IndexedList } from './watch-lists.ts'

/** Lists of the service itself, whose entries are found by rule. No list of these names can be loaded. */
export const placesList = 'OFAC-PROGRAMS'
export const ownLists: readonly string[] = [placesList, alphabetList, 'SANDBOX']

/** A town or a postal code may also belong to another place with the same name. */
const placeScore = { certain: 100, possible: 90 } as const

export interface Hit {
  readonly field: string
  readonly customerId: string
  readonly listName: string
  readonly fingerprint: string
  readonly match: Match
  readonly standing: 'open' | 'cleared' | 'confirmed'
  /** The earlier decision, unless the match is open. */
  readonly decision?: ScreeningDecision
  /** The time at which the same person was confirmed as the entry, for another account or another firm. */
  readonly confirmedAt?: string
}

export interface Screening {
  readonly tx: Tx
  readonly lists: readonly IndexedList[]
  readonly keys: FirmKeys
  readonly keyring: Pick<Keyring, 'load'>
  readonly now: Date
}

type Found = Pick<Hit, 'field' | 'customerId' | 'listName' | 'fingerprint' | 'match' | 'confirmedAt'>

export async function screenParts(
  { tx, lists, keys, keyring, now }: Screening,
  parts: { readonly names: readonly ScreenedName[]; readonly addresses?: readonly ScreenedAddress[] },
): Promise<Hit[]> {
  const indexKey = currentIndexKey(keys).export()
  const clearingKeys = await keyring.load(clearingFirmId)
  const persons = parts.names.map((name) => ({ name, ...indexIdentity(clearingKeys, identityOf(name)) }))
  // The persons are read while the names are compared.
  const reading = readKnownPersons(
    tx,
    persons.flatMap(({ personIndex }) => personIndex ?? []),
    persons.flatMap(({ nameIndex }) => nameIndex ?? []),
  )
  const byName = parts.names.map((name) => findNames(lists, name, indexKey))
  const known = await reading
  const found = [
    ...persons.flatMap(({ name, ...indexes }, at) =>
      withConfirmations(byName[at] ?? [], confirmationsOf(indexes, known, lists), name, indexKey),
    ),
    ...(parts.addresses ?? []).flatMap((address) => findPlaces(address, indexKey)),
  ]
  if (found.length === 0) return []
  const decided = await readDecidedMatches(tx, keys.firmId, [
    ...new Set(found.map(({ fingerprint }) => fingerprint)),
  ])
  return found.map((one) => standingOf(one, decided, now))
}

/** Returns the matches of one name, in memory only; `only` restricts the search to entries, by list. */
export function matchesOf(
  lists: readonly IndexedList[],
  name: ScreenedName,
  only?: ReadonlySet<string>,
): { readonly listName: string; readonly match: Match }[] {
  return lists.flatMap(({ listName, index }) =>
    screenParty(index, name, only === undefined ? {} : { only }).map((match) => ({ listName, match })),
  )
}

function findNames(lists: readonly IndexedList[], name: ScreenedName, key: Uint8Array): Found[] {
  const { field, customerId } = name
  const fingerprint = partyFingerprint(name, key)
  const found = matchesOf(lists, name).map((one) => ({ field, customerId, fingerprint, ...one }))
  if (listUnscreenableNames(name).length === 0) return found
  const match: Match = {
    entryId: 'NAME',
    entryVersion: '1',
    listVersion: alphabetList,
    score: MATCH_SCORE_MIN,
    matchedName: 'A NAME IN ANOTHER ALPHABET',
    programs: [],
    reasons: [
      {
        field: 'name',
        outcome: 'near',
        detail: 'The name is in an alphabet that cannot be compared with the lists.',
      },
    ],
  }
  return [...found, { field, customerId, listName: alphabetList, fingerprint, match }]
}

/**
 * Adds the confirmations of the same person to the matches of a name. A person whose name is not like the listed one
 * is found by tax id and birth date.
 */
function withConfirmations(
  found: readonly Found[],
  confirmations: readonly Confirmation[],
  name: ScreenedName,
  key: Uint8Array,
): Found[] {
  const { field, customerId } = name
  const all = [...found]
  for (const { listName, entryId, confirmedAt, match } of confirmations) {
    const at = all.findIndex((one) => one.listName === listName && one.match.entryId === entryId)
    const known = all[at]
    if (known !== undefined) all[at] = { ...known, confirmedAt }
    else if (match !== undefined)
      all.push({ field, customerId, listName, fingerprint: partyFingerprint(name, key), match, confirmedAt })
  }
  return all
}

function findPlaces(part: ScreenedAddress, key: Uint8Array): Found[] {
  const { field, customerId, address, nameParts } = part
  const facts = JSON.stringify({ kind: 'address', address, nameParts })
  return findSanctionedPlaces(address).map(({ place, certain, reason }) => ({
    field,
    customerId: `${customerId}:${field.slice(field.indexOf('.') + 1)}`,
    listName: placesList,
    fingerprint: createHmac('sha256', key).update(facts).digest('hex'),
    match: {
      entryId: place.id,
      entryVersion: sanctionedPlacesAsOf,
      listVersion: sanctionedPlacesAsOf,
      score: certain ? placeScore.certain : placeScore.possible,
      matchedName: place.name,
      programs: [place.source],
      reasons: [{ field: 'address', outcome: certain ? 'agree' : 'near', detail: reason }],
    },
  }))
}

function standingOf(found: Found, decided: readonly ScreeningMatch[], now: Date): Hit {
  const decisions = decided.filter(({ list_name }) => list_name === found.listName).map(asDecision)
  const decision = decisionInForce(found.match, decisions, found.fingerprint, now)
  const { confirmedAt } = found
  // A clearance does not hold against a later confirmation of the same person.
  const isOvertaken =
    decision?.outcome === 'cleared' &&
    confirmedAt !== undefined &&
    Date.parse(decision.decidedAt) < Date.parse(confirmedAt)
  if (decision === undefined || isOvertaken) return { ...found, standing: 'open' }
  return { ...found, standing: decision.outcome, decision }
}

function asDecision(row: ScreeningMatch): ScreeningDecision {
  return {
    partyFingerprint: row.party_fingerprint,
    entryId: row.entry_id,
    entryVersion: row.entry_version,
    listVersion: row.list_version,
    outcome: row.decision === 'Confirmed' ? 'confirmed' : 'cleared',
    reason: row.reason ?? '',
    decidedBy: row.decided_by ?? '',
    decidedAt: row.decided_at ?? '',
    expiresAt: row.expires_at,
  }
}

/** Returns true when the name equals the listed one letter for letter, and the birth date or a document agrees too. */
export function isExact({ reasons }: Match): boolean {
  const agrees = (field: string) => reasons.some((one) => one.field === field && one.outcome === 'agree')
  return agrees('name') && (agrees('birthDate') || agrees('idNumber'))
}

/** Renders a hit as its stored row, with the earlier decision. */
export function matchRow(
  hit: Hit,
  account: { accountNumber: string; firmId: string },
  at: Date,
): ScreeningMatch {
  const { match, decision } = hit
  return {
    account_number: account.accountNumber,
    match_id: newId(at),
    firm_id: account.firmId,
    customer_id: hit.customerId,
    list_name: hit.listName,
    list_version: match.listVersion,
    entry_id: match.entryId,
    entry_version: match.entryVersion,
    score: match.score,
    matched_name: match.matchedName,
    reasons: [
      ...match.reasons.map(({ field, outcome, detail }) => ({ field, outcome, detail })),
      ...(hit.confirmedAt === undefined ? [] : [sayConfirmed(hit.confirmedAt)]),
    ],
    party_fingerprint: hit.fingerprint,
    decision: decision === undefined ? 'Open' : decision.outcome === 'cleared' ? 'Cleared' : 'Confirmed',
    decided_by: decision?.decidedBy ?? null,
    decided_at: decision?.decidedAt ?? null,
    reason: decision ? `Remembered: ${decision.reason}` : null,
    expires_at: decision?.expiresAt ?? null,
    field: hit.field,
    change_id: null,
    restriction_id: null,
    clearance_change_id: null,
    dropped_at: null,
  }
}

/**
 * Renders the hit as an open match regardless of earlier decisions: the person is known, and people decide on
 * the match.
 */
export function openMatchRow(
  hit: Hit,
  account: { accountNumber: string; firmId: string },
  at: Date,
): ScreeningMatch {
  const { decision, ...rest } = hit
  const row = matchRow({ ...rest, standing: 'open' }, account, at)
  if (decision === undefined) return row
  const detail = `Confirmed by ${decision.decidedBy} on ${easternDay(new Date(decision.decidedAt))}.`
  return { ...row, reasons: [...row.reasons, { field: 'earlierDecision', outcome: 'agree', detail }] }
}
