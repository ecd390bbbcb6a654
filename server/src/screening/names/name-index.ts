// The watch list in memory: every name folded into weighted tokens, and the tables that find the few possible names
// among tens of thousands (equal tokens, equal sound, shared trigrams). Promises: immutable except for one cache,
// deterministic, built once a list.

import { setImmediate } from 'node:timers/promises'
import type { ListedName, WatchList, WatchListEntry } from '../watch-list.ts'
import { type FoldedToken, foldName, type TokenClass, wholeNameKey } from './fold-name.ts'
import { listVariants, type SoundedToken, soundKey, soundToken, tokenSimilarity } from './token-similarity.ts'

export type IndexedToken = SoundedToken & { class: TokenClass; weight: number }

export type IndexedName = {
  entry: WatchListEntry
  name: ListedName
  tokens: IndexedToken[]
  /**
   * The sum of the tokens' weights, and of the weights of tokens that no candidate search finds (initials, generic
   * words, particles).
   */
  weight: number
  weightUnsearched: number
}

export type WatchListIndex = {
  listVersion: string
  entryCount: number
  names: IndexedName[]
  vocabulary: Word[]
  wordByText: Map<string, number>
  wordsBySound: Map<string, number[]>
  wordsByTrigram: Map<string, number[]>
  namesByWholeKey: Map<string, number[]>
  entriesByIdNumber: Map<string, { entry: WatchListEntry }[]>
  similarWordsSeen: Map<string, number[]>
  /** One value a name while candidates are gathered; all zero between two searches. */
  scratch: { weightFound: Float64Array; reachedBy: Int32Array }
}

type Word = SoundedToken & { weight: number; names: number[]; hasTrigrams: boolean }

/** Weights of the token classes. Distinctive tokens weigh between RARITY_FLOOR (in every name) and 1 (in one name). */
const classWeights: Record<TokenClass, number | null> = {
  distinct: null,
  generic: 0.3,
  particle: 0.1,
  initial: 0.5,
  title: 0,
  'legal-form': 0,
}
const RARITY_FLOOR = 0.5
/** Gives the tokens of a short list the weights that they would have in a long one. */
const RARITY_PRIOR = 500
const NUMBER_WEIGHT = 0.6

const ID_NUMBER_LENGTH_MIN = 5
const PORTION_ENTRIES = 250
const SIMILAR_WORDS_SEEN_MAX = 20_000
const SHARED_TRIGRAMS_MIN = 2
const SHARED_TRIGRAM_SHARE_MIN = 0.35

/** Builds in portions, so that other work can run: 20,000 entries take about a second of one core. */
export async function indexWatchList(list: WatchList): Promise<WatchListIndex> {
  const index: WatchListIndex = {
    listVersion: list.listVersion,
    entryCount: list.entries.length,
    names: [],
    vocabulary: [],
    wordByText: new Map(),
    wordsBySound: new Map(),
    wordsByTrigram: new Map(),
    namesByWholeKey: new Map(),
    entriesByIdNumber: new Map(),
    similarWordsSeen: new Map(),
    scratch: { weightFound: new Float64Array(0), reachedBy: new Int32Array(0) },
  }
  for (const [at, entry] of list.entries.entries()) {
    if (at % PORTION_ENTRIES === PORTION_ENTRIES - 1) await setImmediate()
    for (const id of entry.idNumbers) {
      const key = foldIdNumber(id.number)
      if (key !== null) pushTo(index.entriesByIdNumber, key, { entry })
    }
    for (const name of entry.names) addName(index, entry, name)
  }
  index.scratch = {
    weightFound: new Float64Array(index.names.length),
    reachedBy: new Int32Array(index.names.length),
  }
  for (const word of index.vocabulary) word.weight = weighWord(index, word.names.length)
  for (const name of index.names) weighTokens(index, name)
  return index
}

function addName(index: WatchListIndex, entry: WatchListEntry, name: ListedName): void {
  const at = index.names.length
  const folded = foldListedName(entry, name)
  const tokens = folded.map((token) => ({ ...soundToken(token.text), class: token.class, weight: 0 }))
  if (tokens.length === 0) return
  index.names.push({ entry, name, tokens, weight: 0, weightUnsearched: 0 })
  // A name without a distinctive token matches only as a whole.
  if (!tokens.some((token) => token.class === 'distinct')) {
    pushTo(index.namesByWholeKey, wholeNameKey(folded), at)
    return
  }
  for (const token of tokens) if (token.class === 'distinct') addTrigrams(index, addWord(index, token, at))
  for (let left = 0; left + 1 < tokens.length; left++) {
    const [a, b] = [tokens[left] as IndexedToken, tokens[left + 1] as IndexedToken]
    if (a.class === 'distinct' && b.class === 'distinct') addWord(index, soundToken(a.text + b.text), at)
  }
}

/** Lists write persons as `SURNAME, Given`; a particle is joined to the following name. */
function foldListedName(entry: WatchListEntry, name: ListedName): FoldedToken[] {
  if (entry.kind !== 'person') return foldName(name.text, 'entity')
  const comma = name.text.indexOf(',')
  const natural = comma < 0 ? name.text : `${name.text.slice(comma + 1)} ${name.text.slice(0, comma)}`
  return foldName(natural, 'person')
}

function addWord(index: WatchListIndex, token: SoundedToken, name: number): number {
  const known = index.wordByText.get(token.text)
  if (known !== undefined) {
    const { names } = index.vocabulary[known] as Word
    if (names.at(-1) !== name) names.push(name)
    return known
  }
  const word = index.vocabulary.length
  const { text, sound, textLetters, soundLetters, hasNumber, variantRow } = token
  index.vocabulary.push({
    text,
    sound,
    textLetters,
    soundLetters,
    hasNumber,
    variantRow,
    weight: 0,
    names: [name],
    hasTrigrams: false,
  })
  index.wordByText.set(text, word)
  const key = soundKey(sound)
  if (key.length > 1) pushTo(index.wordsBySound, key, word)
  return word
}

function addTrigrams(index: WatchListIndex, at: number): void {
  const word = index.vocabulary[at] as Word
  if (word.hasTrigrams) return
  word.hasTrigrams = true
  for (const trigram of listTrigrams(word.text)) pushTo(index.wordsByTrigram, trigram, at)
}

function weighTokens(index: WatchListIndex, name: IndexedName): void {
  for (const token of name.tokens) {
    token.weight = weighToken(index, token)
    name.weight += token.weight
    if (token.class !== 'distinct') name.weightUnsearched += token.weight
  }
}

/** The weight of a token: none for a legal form, most for a word that few listed names have. */
export function weighToken(index: WatchListIndex, token: FoldedToken): number {
  const fixed = classWeights[token.class]
  if (fixed !== null) return fixed
  if (/^\p{N}+$/u.test(token.text)) return NUMBER_WEIGHT
  const word = index.wordByText.get(token.text)
  return word === undefined ? 1 : (index.vocabulary[word] as Word).weight
}

function weighWord(index: WatchListIndex, names: number): number {
  const all = index.names.length + RARITY_PRIOR
  return RARITY_FLOOR + ((1 - RARITY_FLOOR) * Math.log(all / names)) / Math.log(all)
}

/** Returns the words of the list that a party's token may be, the rarest first. */
export function findSimilarWords(index: WatchListIndex, text: string): number[] {
  const seen = index.similarWordsSeen.get(text)
  if (seen) return seen
  const found = searchSimilarWords(index, text)
  if (index.similarWordsSeen.size >= SIMILAR_WORDS_SEEN_MAX) index.similarWordsSeen.clear()
  index.similarWordsSeen.set(text, found)
  return found
}

function searchSimilarWords(index: WatchListIndex, text: string): number[] {
  const token = soundToken(text)
  const words = new Set(index.wordsBySound.get(soundKey(token.sound)) ?? [])
  for (const word of findWordsByTrigrams(index, text)) words.add(word)
  for (const variant of [text, ...listVariants(text)]) {
    const word = index.wordByText.get(variant)
    if (word !== undefined) words.add(word)
  }
  const weightOf = (word: number) => (index.vocabulary[word] as Word).weight
  return [...words]
    .filter((word) => tokenSimilarity(token, index.vocabulary[word] as Word) > 0)
    .sort((a, b) => weightOf(b) - weightOf(a) || a - b)
}

function findWordsByTrigrams(index: WatchListIndex, text: string): number[] {
  const trigrams = listTrigrams(text)
  const sharedMin = Math.max(SHARED_TRIGRAMS_MIN, Math.ceil(SHARED_TRIGRAM_SHARE_MIN * trigrams.size))
  const counts = new Map<number, number>()
  const found: number[] = []
  for (const trigram of trigrams) {
    for (const word of index.wordsByTrigram.get(trigram) ?? []) {
      const count = (counts.get(word) ?? 0) + 1
      counts.set(word, count)
      if (count === sharedMin) found.push(word)
    }
  }
  return found
}

function listTrigrams(text: string): Set<string> {
  const padded = `^${text}$`
  const trigrams = new Set<string>()
  for (let at = 0; at + 3 <= padded.length; at++) trigrams.add(padded.slice(at, at + 3))
  return trigrams
}

/** Letters and digits in upper case; null for numbers that are too short or too common to identify a person. */
export function foldIdNumber(number: string): string | null {
  const folded = number
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
  if (folded.length < ID_NUMBER_LENGTH_MIN || /^(.)\1*$/u.test(folded)) return null
  return folded
}

function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}
