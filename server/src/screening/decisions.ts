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

/** The reason why a cleared match is shown again. */
export type ShownAgain = { decision: ScreeningDecision; because: 'expired' | 'entry-changed' }

export type DecidedMatches = {
  /** The match is open: a person must decide. */
  open: { match: Match; shownAgain: ShownAgain | null }[]
  /** The match is not shown, because an earlier decision is valid. */
  cleared: { match: Match; decision: ScreeningDecision }[]
  /** The match is confirmed: the party is the listed party. */
  confirmed: { match: Match; decision: ScreeningDecision }[]
}

/** Sorts new matches by earlier decisions; the latest decision on a pair counts. */
export function applyDecisions(
  matches: readonly Match[],
  decisions: readonly ScreeningDecision[],
  fingerprint: string,
  now: Date,
): DecidedMatches {
  const latest = new Map<string, ScreeningDecision>()
  for (const decision of decisions) {
    if (decision.partyFingerprint !== fingerprint) continue
    const known = latest.get(decision.entryId)
    if (!known || Date.parse(decision.decidedAt) >= Date.parse(known.decidedAt)) {
      latest.set(decision.entryId, decision)
    }
  }
  const sorted: DecidedMatches = { open: [], cleared: [], confirmed: [] }
  for (const match of matches) {
    const decision = latest.get(match.entryId)
    if (!decision) sorted.open.push({ match, shownAgain: null })
    else if (decision.outcome === 'confirmed') sorted.confirmed.push({ match, decision })
    else {
      const because = whyShownAgain(match, decision, now)
      if (because) sorted.open.push({ match, shownAgain: { decision, because } })
      else sorted.cleared.push({ match, decision })
    }
  }
  return sorted
}

function whyShownAgain(match: Match, decision: ScreeningDecision, now: Date): ShownAgain['because'] | null {
  if (decision.entryVersion !== match.entryVersion) return 'entry-changed'
  if (decision.expiresAt !== null && Date.parse(decision.expiresAt) <= now.getTime()) return 'expired'
  return null
}
