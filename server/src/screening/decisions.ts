// Remembers a reviewer's decision on a party and a listed entry, so that the same false match is not shown again until
// the decision expires, or the entry or the party changes. Promises: pure; fingerprints are keyed, so that a stored
// fingerprint reveals nothing about the party without the key. Authority: Reading 4.4 (remembered decisions).

import { createHmac } from 'node:crypto'
import { limits } from '@clearing/protocol'
import type { ScreeningMatch } from '../store/screening.ts'
import type { Match, ScreenedParty } from './match-names.ts'
import { foldName } from './names/fold-name.ts'
import { foldIdNumber } from './names/name-index.ts'

/** One row: the decision, its author, the pair, its time and its expiry. Rows are only ever added. */
export type ScreeningDecision = {
  partyFingerprint: string
  entryId: string
  entryVersion: string
  /**
   * The list that gave the match. Stored as evidence and not compared, because lists change daily and entries seldom.
   */
  listVersion: string
  outcome: 'cleared' | 'confirmed'
  reason: string
  decidedBy: string
  /** ISO 8601, UTC. */
  decidedAt: string
  /** ISO 8601, UTC. A confirmed match never expires: null. */
  expiresAt: string | null
}

/** A clearance is valid for a year: after that, names, documents and lists deserve another review. */
export const CLEARANCE_DAYS = 365

/** Whether the clearance of a match needs a second person: the match is likely, or it restricts an account. */
export function isLikelyOrRestricting({
  score,
  restriction_id: restrictionId,
}: Pick<ScreeningMatch, 'score' | 'restriction_id'>): boolean {
  return score >= limits.secondPersonMatchScoreMin || restrictionId !== null
}

/** Changes with every spelling of the name, birth date, country or document; `key` is the service's index key. */
export function partyFingerprint(party: ScreenedParty, key: Uint8Array): string {
  const facts = {
    kind: party.kind,
    name: foldName(party.nameParts.join(' '), party.kind).map((token) => token.text),
    birthDate: party.birthDate ?? null,
    countries: [...new Set(party.countries ?? [])].sort(),
    idNumbers: (party.idNumbers ?? [])
      .map(({ number, country }) => `${country ?? ''}:${foldIdNumber(number) ?? number}`)
      .sort(),
  }
  return createHmac('sha256', key).update(JSON.stringify(facts)).digest('hex')
}

/**
 * Returns the latest decision of a person on the party and the listed entry. A clearance that expired, or of an entry
 * that has changed since, is not returned: a person must decide again.
 */
export function decisionInForce(
  match: Match,
  decisions: readonly ScreeningDecision[],
  fingerprint: string,
  now: Date,
): ScreeningDecision | undefined {
  const ofPair = decisions.filter(
    (one) => one.partyFingerprint === fingerprint && one.entryId === match.entryId,
  )
  const latest = ofPair.toSorted((a, b) => Date.parse(a.decidedAt) - Date.parse(b.decidedAt)).at(-1)
  if (latest?.outcome !== 'cleared') return latest
  const expired = latest.expiresAt !== null && Date.parse(latest.expiresAt) <= now.getTime()
  return expired || latest.entryVersion !== match.entryVersion ? undefined : latest
}
