// Screens one party against a watch list: the entries that may be the party, their likelihood (0–100) and, field by
// field, the reasons. Promises: deterministic; never throws on any text; a name alone decides nothing, a contradicting
// birth date lowers the best name below the threshold, and an identity document in common is always shown. Authority:
// Reading 4.4.

import {
  compareBirthDates,
  compareCountries,
  type FieldReason,
  findSharedIdNumbers,
} from './compare-fields.ts'
import { type FoldedToken, isUnscreenable, type NameKind, wholeNameKey } from './names/fold-name.ts'
import {
  findSimilarWords,
  type IndexedName,
  type IndexedToken,
  type WatchListIndex,
  weighToken,
} from './names/name-index.ts'
import { readName } from './names/name-readings.ts'
import { type NameScore, scoreBound, scoreName } from './names/score-name.ts'
import { soundToken } from './names/token-similarity.ts'
import type { WatchListEntry } from './watch-list.ts'

/** Names in any order of parts: `firstName`, `middleName`, `lastName`, `suffix`, or the lines of an entity's name. */
export type ScreenedParty = {
  kind: NameKind
  nameParts: readonly string[]
  /** `yyyy-MM-dd` */
  birthDate?: string
  /** ISO 3166-1 alpha-2: citizenship and addresses. */
  countries?: readonly string[]
  idNumbers?: readonly { number: string; country?: string }[]
}

export type Match = {
  entryId: string
  entryVersion: string
  listVersion: string
  score: number
  matchedName: string
  programs: string[]
  reasons: FieldReason[]
}

/** A match with at least this score is shown to a person, who decides. */
export const MATCH_SCORE_MIN = 82
const MATCHES_MAX = 50

/** Below this score, no birth date or country makes a name a match. */
const NAME_SCORE_MIN = 60
const ID_NUMBER_SCORE_MIN = 90
const ID_NUMBER_POINTS = 15

/** `only`: restricts the search to these entries of the list. */
export type ScreeningLimits = { scoreMin?: number; matchesMax?: number; only?: ReadonlySet<string> }

export function screenParty(
  index: WatchListIndex,
  party: ScreenedParty,
  limits: ScreeningLimits = {},
): Match[] {
  const scoreMin = limits.scoreMin ?? MATCH_SCORE_MIN
  const best = new Map<WatchListEntry, Judged>()
  const offer = (judged: Judged, entry: WatchListEntry) => {
    const known = best.get(entry)
    if (judged.match.score >= scoreMin && (!known || judged.points > known.points)) best.set(entry, judged)
  }
  const { only } = limits
  const isAsked = (entry: WatchListEntry) =>
    mayBe(party.kind, entry) && (only === undefined || only.has(entry.entryId))
  for (const folded of readName(index, party.nameParts, party.kind)) {
    const tokens = folded.map((token) => ({
      ...soundToken(token.text),
      class: token.class,
      weight: weighToken(index, token),
    }))
    for (const [listed, name] of scoreCandidates(index, folded, tokens, isAsked)) {
      if (name.score >= NAME_SCORE_MIN) offer(judge(index, party, listed, name), listed.entry)
    }
  }
  for (const entry of findSharedEntries(index, party)) {
    if (only !== undefined && !only.has(entry.entryId)) continue
    if (!best.has(entry)) offer(judge(index, party, nameOf(entry), NO_NAME), entry)
  }
  const matches = [...best.values()].map((judged) => judged.match)
  return matches.sort(byScoreThenEntry).slice(0, limits.matchesMax ?? MATCHES_MAX)
}

/**
 * Returns the name parts that cannot be compared with a Latin list. They need a person's review, not a clean result.
 */
export function listUnscreenableNames(party: ScreenedParty): string[] {
  return party.nameParts.filter(isUnscreenable)
}

/** `points` rank two full scores of one entry. */
type Judged = { match: Match; points: number }

const NO_NAME: NameScore = { score: 0, paired: [], listedUnpaired: [] }

function* scoreCandidates(
  index: WatchListIndex,
  folded: FoldedToken[],
  tokens: IndexedToken[],
  isAsked: (entry: WatchListEntry) => boolean,
): Generator<[IndexedName, NameScore]> {
  for (const at of index.namesByWholeKey.get(wholeNameKey(folded)) ?? []) {
    const listed = index.names[at] as IndexedName
    if (isAsked(listed.entry)) yield [listed, wholeName(listed)]
  }
  for (const at of findCandidates(index, tokens)) {
    const listed = index.names[at] as IndexedName
    if (isAsked(listed.entry)) yield [listed, scoreName(tokens, listed)]
  }
}

/** A person is never a company. A trust or a firm may have a listed person's name. */
function mayBe(kind: NameKind, entry: WatchListEntry): boolean {
  return kind === 'entity' || entry.kind === 'person'
}

function wholeName(listed: IndexedName): NameScore {
  const texts = listed.tokens.map((token) => token.text)
  return {
    score: 100,
    paired: texts.map((text) => ({ party: text, listed: text, similarity: 100 })),
    listedUnpaired: [],
  }
}

/**
 * Returns the names whose score would reach NAME_SCORE_MIN if every found token were equal: an upper bound, so no match
 * is lost.
 */
function findCandidates(index: WatchListIndex, tokens: IndexedToken[]): number[] {
  const { weightFound, reachedBy } = index.scratch
  const touched: number[] = []
  listLookups(tokens).forEach(({ text, weight }, lookup) => {
    for (const word of findSimilarWords(index, text)) {
      const known = index.vocabulary[word]
      if (!known) continue
      for (const name of known.names) {
        if (weightFound[name] === 0) touched.push(name)
        else if (reachedBy[name] === lookup) continue
        reachedBy[name] = lookup
        weightFound[name] = (weightFound[name] as number) + Math.max(weight, known.weight)
      }
    }
  })
  let total = 0
  let unsearched = 0
  for (const token of tokens) {
    total += token.weight
    if (token.class !== 'distinct') unsearched += token.weight
  }
  const candidates: number[] = []
  for (const name of touched) {
    const weight = weightFound[name] as number
    weightFound[name] = 0
    const listed = index.names[name] as IndexedName
    if (scoreBound(weight + unsearched + listed.weightUnsearched, total, listed.weight) >= NAME_SCORE_MIN) {
      candidates.push(name)
    }
  }
  return candidates.sort((a, b) => a - b)
}

/** Returns the look-ups: each distinctive token, and each pair of neighbours as one word. */
function listLookups(tokens: IndexedToken[]): { text: string; weight: number }[] {
  const lookups: { text: string; weight: number }[] = []
  tokens.forEach((token, at) => {
    if (token.class !== 'distinct') return
    lookups.push(token)
    const next = tokens[at + 1]
    if (next?.class === 'distinct') {
      lookups.push({ text: token.text + next.text, weight: token.weight + next.weight })
    }
  })
  return lookups
}

function* findSharedEntries(index: WatchListIndex, party: ScreenedParty): Generator<WatchListEntry> {
  for (const { entry } of findSharedIdNumbers(index, party.idNumbers ?? [])) yield entry
}

function nameOf(entry: WatchListEntry): Pick<IndexedName, 'entry' | 'name'> {
  return { entry, name: entry.names[0] as WatchListEntry['names'][number] }
}

function judge(
  index: WatchListIndex,
  party: ScreenedParty,
  listed: Pick<IndexedName, 'entry' | 'name'>,
  name: NameScore,
): Judged {
  const { entry } = listed
  const birthDate = compareBirthDates(party.birthDate, entry)
  const country = compareCountries(party.countries ?? [], entry)
  const ids = findSharedIdNumbers(index, party.idNumbers ?? []).filter((shared) => shared.entry === entry)
  let points = name.score + birthDate.points + country.points
  if (ids.length > 0) points = Math.max(points + ID_NUMBER_POINTS, ID_NUMBER_SCORE_MIN)
  const reasons: FieldReason[] = [renderNameReason(listed, name)]
  if (birthDate.reason) reasons.push(birthDate.reason)
  if (country.reason) reasons.push(country.reason)
  for (const id of ids) reasons.push(id.reason)
  const match: Match = {
    entryId: entry.entryId,
    entryVersion: entry.entryVersion,
    listVersion: index.listVersion,
    score: Math.max(0, Math.min(100, Math.round(points))),
    matchedName: listed.name.text,
    programs: entry.programs,
    reasons,
  }
  return { match, points }
}

function renderNameReason(listed: Pick<IndexedName, 'entry' | 'name'>, name: NameScore): FieldReason {
  const alias =
    listed.name.type === 'primary' ? 'the listed name' : `${listed.name.strength} ${listed.name.type}`
  const paired = name.paired.map(({ party, listed: theirs, similarity }) =>
    party === theirs ? `${theirs} equal` : `${theirs} like ${party} (${similarity})`,
  )
  const missing = name.listedUnpaired.map((text) => `${text} missing`)
  const details = [...paired, ...missing].join(', ') || 'no part of the name agrees'
  const score = Math.round(name.score)
  return {
    field: 'name',
    outcome: score === 100 ? 'agree' : score >= NAME_SCORE_MIN ? 'near' : 'contradict',
    detail: `${score} against ${alias}: ${details}.`,
  }
}

function byScoreThenEntry(a: Match, b: Match): number {
  return b.score - a.score || a.entryId.length - b.entryId.length || (a.entryId < b.entryId ? -1 : 1)
}
