// Scores how well a party's name agrees with one listed name, 0–100, and which tokens agree. Promises: deterministic;
// generic words, titles and legal forms alone never make a match; a single shared word of a longer name never reaches
// the threshold by itself.

import type { IndexedName, IndexedToken } from './name-index.ts'
import { INITIAL_SIMILARITY, soundToken, TOKEN_SIMILARITY_MIN, tokenSimilarity } from './token-similarity.ts'

export type PairedToken = { party: string; listed: string; similarity: number }

export type NameScore = { score: number; paired: PairedToken[]; listedUnpaired: string[] }

/**
 * The share of the better covered name in the score; the rest is the other name's share, because middle names are often
 * left out.
 */
const COVER_SHARE = 0.6

/** The highest score for one distinctive token in common when either name has more. */
const SINGLE_TOKEN_SCORE_MAX = 72
const WEAK_ALIAS_FACTOR = 0.92
/** A token at TOKEN_SIMILARITY_MIN is worth (75 − 40) / 60 of an equal one. */
const SIMILARITY_ZERO = 40
const JOINED_SIMILARITY_MIN = 88
const JOINED_LENGTH_DIFFERENCE_MAX = 2

export function scoreName(party: IndexedToken[], listed: IndexedName): NameScore {
  const [ours, theirs] = joinSplitTokens(party, listed.tokens)
  const pairs = pairTokens(ours, theirs)
  const partyCover = coverOf(ours, theirs, pairs, 0)
  const listedCover = coverOf(ours, theirs, pairs, 1)
  const covered = joinCovers(partyCover, listedCover)
  const isWeak = listed.name.strength === 'weak'
  let score = 100 * covered
  if (!pairs.some((pair) => isDistinct(ours[pair.at[0]]) && isDistinct(theirs[pair.at[1]]))) score = 0
  else if (isSingleToken(ours, theirs, pairs, isWeak)) score = Math.min(score, SINGLE_TOKEN_SCORE_MAX)
  if (isWeak) score *= WEAK_ALIAS_FACTOR
  const used = new Set(pairs.map((pair) => pair.at[1]))
  return {
    score,
    paired: pairs.map(({ at, similarity }) => ({
      party: (ours[at[0]] as IndexedToken).text,
      listed: (theirs[at[1]] as IndexedToken).text,
      similarity,
    })),
    listedUnpaired: theirs
      .filter((token, at) => token.weight > 0 && !used.has(at))
      .map((token) => token.text),
  }
}

/** The highest score of a name when tokens of at most `weight` agree. */
export function scoreBound(weight: number, partyWeight: number, listedWeight: number): number {
  return 100 * joinCovers(Math.min(1, weight / partyWeight), Math.min(1, weight / listedWeight))
}

function joinCovers(a: number, b: number): number {
  return COVER_SHARE * Math.max(a, b) + (1 - COVER_SHARE) * Math.min(a, b)
}

type Pair = { at: [number, number]; similarity: number }

function pairTokens(ours: IndexedToken[], theirs: IndexedToken[]): Pair[] {
  const possible: Pair[] = []
  ours.forEach((a, i) => {
    theirs.forEach((b, j) => {
      const similarity = similarityOf(a, b)
      if (similarity >= TOKEN_SIMILARITY_MIN) possible.push({ at: [i, j], similarity })
    })
  })
  possible.sort((a, b) => b.similarity - a.similarity || a.at[0] - b.at[0] || a.at[1] - b.at[1])
  const pairs: Pair[] = []
  const usedOurs = new Set<number>()
  const usedTheirs = new Set<number>()
  for (const pair of possible) {
    if (usedOurs.has(pair.at[0]) || usedTheirs.has(pair.at[1])) continue
    usedOurs.add(pair.at[0])
    usedTheirs.add(pair.at[1])
    pairs.push(pair)
  }
  return pairs
}

function similarityOf(a: IndexedToken, b: IndexedToken): number {
  if (a.weight === 0 || b.weight === 0) return 0
  if (a.text === b.text) return 100
  if (a.class === 'initial' || b.class === 'initial') {
    const [initial, name] = a.class === 'initial' ? [a, b] : [b, a]
    const fits = name.class === 'distinct' && name.text.startsWith(initial.text)
    return fits ? INITIAL_SIMILARITY : 0
  }
  if (a.class === 'particle' || b.class === 'particle') return 0
  return tokenSimilarity(a, b)
}

/** The share of one side's weight in the pairs. An initial accounts for itself only. */
function coverOf(ours: IndexedToken[], theirs: IndexedToken[], pairs: Pair[], side: 0 | 1): number {
  let covered = 0
  let all = 0
  for (const token of side === 0 ? ours : theirs) all += token.weight
  for (const { at, similarity } of pairs) {
    const [a, b] = [ours[at[0]] as IndexedToken, theirs[at[1]] as IndexedToken]
    const own = side === 0 ? a.weight : b.weight
    const weight = a.class === 'initial' || b.class === 'initial' ? Math.min(a.weight, b.weight) : own
    covered += (weight * (similarity - SIMILARITY_ZERO)) / (100 - SIMILARITY_ZERO)
  }
  return all === 0 ? 0 : covered / all
}

/**
 * Returns true when only one word agrees and either name has more words. A weak alias must agree with the whole name.
 */
function isSingleToken(
  ours: IndexedToken[],
  theirs: IndexedToken[],
  pairs: Pair[],
  isWeak: boolean,
): boolean {
  const telling = pairs.filter((pair) => isTelling(ours[pair.at[0]]) || isTelling(theirs[pair.at[1]]))
  if (telling.length > 1) return false
  const extra = (tokens: IndexedToken[], side: 0 | 1) =>
    tokens.some(
      (token, at) =>
        !pairs.some((pair) => pair.at[side] === at) && (isWeak ? token.weight > 0 : isTelling(token)),
    )
  return extra(ours, 0) || extra(theirs, 1)
}

function isDistinct(token: IndexedToken | undefined): boolean {
  return token?.class === 'distinct'
}

function isTelling(token: IndexedToken | undefined): boolean {
  return token?.class === 'distinct' || token?.class === 'initial'
}

/** `Jeanpierre` and `Jean-Pierre`: when two neighbours spell one token of the other name, they become one token. */
function joinSplitTokens(ours: IndexedToken[], theirs: IndexedToken[]): [IndexedToken[], IndexedToken[]] {
  return [joinTowards(ours, theirs), joinTowards(theirs, ours)]
}

function joinTowards(tokens: IndexedToken[], other: IndexedToken[]): IndexedToken[] {
  for (let at = 0; at + 1 < tokens.length; at++) {
    const [a, b] = [tokens[at] as IndexedToken, tokens[at + 1] as IndexedToken]
    if (a.class !== 'distinct' || b.class !== 'distinct') continue
    const length = a.text.length + b.text.length
    const long = other.filter(
      (token) =>
        token.class === 'distinct' && Math.abs(token.text.length - length) <= JOINED_LENGTH_DIFFERENCE_MAX,
    )
    if (long.length === 0) continue
    const joined = { ...soundToken(a.text + b.text), class: a.class, weight: Math.max(a.weight, b.weight) }
    const gains = (token: IndexedToken) =>
      tokenSimilarity(joined, token) >= JOINED_SIMILARITY_MIN &&
      tokenSimilarity(a, token) < JOINED_SIMILARITY_MIN &&
      tokenSimilarity(b, token) < JOINED_SIMILARITY_MIN
    if (long.some(gains)) return joinTowards([...tokens.slice(0, at), joined, ...tokens.slice(at + 2)], other)
  }
  return tokens
}
