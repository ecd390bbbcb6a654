// The ways in which a name can be meant by the letters that it was written with: as written, by the looks of letters of other
// alphabets, with letters that stand apart joined to words, and with words that were run together taken apart.
// Promises: the name as written comes first; a usual name has this one reading; the number of readings is bounded.

import { type FoldedToken, foldName, type NameKind, type TokenClass } from './fold-name.ts'
import type { WatchListIndex } from './name-index.ts'
import { genericWords, lowerLooks, nameParticles, upperLooks } from './name-words.ts'

const READINGS_MAX = 16
/** So many single letters in a row are a word that was spelled out, and not initials. */
const SPELLED_LETTERS_MIN = 3
/** Words of the list that are shorter are found in too many names to take one apart by them. */
const PIECE_LENGTH_MIN = 3
const PARTICLE_LENGTH_MIN = 2
/** Two words run together are at least this long. */
const RUN_TOGETHER_LENGTH_MIN = 6
const RUN_TOGETHER_LENGTH_MAX = 120

/** `parts` are the fields of a name in their order. */
export function readName(index: WatchListIndex, parts: readonly string[], kind: NameKind): FoldedToken[][] {
  const readings = new Map<string, FoldedToken[]>()
  const add = (text: string): FoldedToken[] => {
    const tokens = foldName(text, kind)
    const key = tokens.map((token) => token.text).join(' ')
    if (readings.size < READINGS_MAX && !readings.has(key)) readings.set(key, tokens)
    return tokens
  }
  for (const written of [parts, lookAlike(parts, upperLooks), lookAlike(parts, lowerLooks)]) {
    const tokens = add(written.join(' '))
    for (const run of runsOf(tokens)) {
      const pieces = takeApart(index, run, kind)
      if (pieces) add(pieces.join(' '))
    }
    // Fields that are spelled out each by itself, or a name that is one field for each letter.
    for (const fields of [written, [written.join(' ')]]) {
      const { text, words } = joinSpelled(fields)
      if (words.length > 0) add(text)
      for (const word of words) for (const pair of splitsOf(index, word, kind)) add(pair)
    }
  }
  return [...readings.values()]
}

/** Letters of another alphabet as the Latin ones that they look like, and digits within words as letters. */
function lookAlike(parts: readonly string[], looks: ReadonlyMap<string, string>): string[] {
  return parts.map((part) =>
    [...part.toLowerCase().normalize('NFKD')]
      .map((letter) => looks.get(letter) ?? letter)
      .join('')
      .replace(/[\p{L}\p{N}]*\p{L}[\p{L}\p{N}]*/gu, (word) => word.replace(/[013457]/g, digitLook)),
  )
}

const digitLooks: Record<string, string> = { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't' }
const digitLook = (digit: string): string => digitLooks[digit] ?? digit

/** The name with its spelled words joined, and those words. */
function joinSpelled(parts: readonly string[]): { text: string; words: string[] } {
  const joined: string[] = []
  const words: string[] = []
  for (const part of parts) {
    const said = part
      .normalize('NFC')
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter((word) => word !== '')
    const isSpelled = said.length > 1 && said.every(isLetter)
    for (let at = 0; at < said.length; ) {
      let end = at
      while (end < said.length && isLetter(said[end] as string)) end++
      if (end - at >= SPELLED_LETTERS_MIN || (isSpelled && end > at)) {
        const word = said.slice(at, end).join('')
        words.push(word)
        joined.push(word)
        at = end
      } else {
        joined.push(said[at] as string)
        at++
      }
    }
  }
  return { text: joined.join(' '), words }
}

const isLetter = (word: string): boolean => [...word.replace(/\p{M}+/gu, '')].length === 1

const telling: ReadonlySet<TokenClass> = new Set(['distinct', 'generic', 'particle'])

/** All of the name run together, and all but its initials, titles and legal forms. */
function runsOf(tokens: readonly FoldedToken[]): string[] {
  const join = (kept: readonly FoldedToken[]) => kept.map((token) => token.text).join('')
  return [join(tokens), join(tokens.filter((token) => telling.has(token.class)))]
}

/** The fewest words of the list that a run of letters is made of; undefined when there are none, or it is one of them. */
function takeApart(index: WatchListIndex, run: string, kind: NameKind): string[] | undefined {
  if (run.length < RUN_TOGETHER_LENGTH_MIN || run.length > RUN_TOGETHER_LENGTH_MAX) return undefined
  const best: (string[] | undefined)[] = [[]]
  for (let end = PARTICLE_LENGTH_MIN; end <= run.length; end++) {
    for (let start = 0; start <= end - PARTICLE_LENGTH_MIN; start++) {
      const before = best[start]
      if (before === undefined || (best[end]?.length ?? Number.POSITIVE_INFINITY) <= before.length + 1)
        continue
      const piece = run.slice(start, end)
      if (isPiece(index, piece, kind)) best[end] = [...before, piece]
    }
  }
  const pieces = best[run.length]
  return pieces && pieces.length > 1 && pieces.some((piece) => isListedWord(index, piece))
    ? pieces
    : undefined
}

function isPiece(index: WatchListIndex, text: string, kind: NameKind): boolean {
  if (nameParticles.has(text)) return true
  if (text.length < PIECE_LENGTH_MIN) return false
  return isListedWord(index, text) || (kind === 'entity' && genericWords.has(text))
}

/** A word that a listed name has by itself, not two of its words joined. */
function isListedWord(index: WatchListIndex, text: string): boolean {
  const word = index.wordByText.get(text)
  return word !== undefined && index.vocabulary[word]?.hasTrigrams === true
}

/** A spelled word as two, of which the list has one: the other may be written otherwise than there. */
function splitsOf(index: WatchListIndex, word: string, kind: NameKind): string[] {
  const [token] = foldName(word, kind)
  const text = token?.text ?? ''
  const splits: string[] = []
  for (let at = PIECE_LENGTH_MIN; at <= text.length - PIECE_LENGTH_MIN; at++) {
    const [left, right] = [text.slice(0, at), text.slice(at)]
    if (isListedWord(index, left) || isListedWord(index, right)) splits.push(`${left} ${right}`)
  }
  return splits
}
