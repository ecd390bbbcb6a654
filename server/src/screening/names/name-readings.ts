// The possible readings of a written name: as written, with letters of other alphabets that look like Latin ones, with
// separated letters joined to words, and with joined words separated. Promises: the name as written comes first; a
// usual name has only this reading; the number of readings is bounded.

import { lookAlike, lowerLooks, upperLooks } from '@clearing/domain'
import { type FoldedToken, foldName, type NameKind, type TokenClass } from './fold-name.ts'
import type { WatchListIndex } from './name-index.ts'
import { genericWords, nameParticles } from './name-words.ts'

const READINGS_MAX = 16
/** This many single letters in a row are a spelled-out word, not initials. */
const SPELLED_LETTERS_MIN = 3
/** Shorter words of the list occur in too many names to split a word at them. */
const PIECE_LENGTH_MIN = 3
const PARTICLE_LENGTH_MIN = 2
/** Two joined words have at least this length. */
const RUN_TOGETHER_LENGTH_MIN = 6
const RUN_TOGETHER_LENGTH_MAX = 120

/** `parts` are the fields of a name in order. */
export function readName(index: WatchListIndex, parts: readonly string[], kind: NameKind): FoldedToken[][] {
  const readings = new Map<string, FoldedToken[]>()
  const add = (text: string): FoldedToken[] => {
    const tokens = foldName(text, kind)
    const key = tokens.map((token) => token.text).join(' ')
    if (readings.size < READINGS_MAX && !readings.has(key)) readings.set(key, tokens)
    return tokens
  }
  for (const written of [
    parts,
    ...[upperLooks, lowerLooks].map((looks) => parts.map((part) => lookAlike(part, looks))),
  ]) {
    const tokens = add(written.join(' '))
    for (const run of runsOf(tokens)) {
      const pieces = takeApart(index, run, kind)
      if (pieces) add(pieces.join(' '))
    }
    // Handles fields that are each spelled out, and a name with one field for each letter.
    for (const fields of [written, [written.join(' ')]]) {
      const { text, words } = joinSpelled(fields)
      if (words.length > 0) add(text)
      for (const word of words) for (const pair of splitsOf(index, word, kind)) add(pair)
    }
  }
  return [...readings.values()]
}

/** Returns the name with its spelled words joined, and those words. */
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

function isLetter(word: string): boolean {
  return [...word.replace(/\p{M}+/gu, '')].length === 1
}

const telling: ReadonlySet<TokenClass> = new Set(['distinct', 'generic', 'particle'])

/** Returns the whole name as one word, also without its initials, titles and legal forms. */
function runsOf(tokens: readonly FoldedToken[]): string[] {
  const join = (kept: readonly FoldedToken[]) => kept.map((token) => token.text).join('')
  return [join(tokens), join(tokens.filter((token) => telling.has(token.class)))]
}

/**
 * Splits letters into the fewest words of the list; undefined when that is impossible, or when they are one word of it.
 */
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

/** Returns true for a word that a listed name has by itself, not for two joined words. */
function isListedWord(index: WatchListIndex, text: string): boolean {
  const word = index.wordByText.get(text)
  return word !== undefined && index.vocabulary[word]?.hasTrigrams === true
}

/** Splits a spelled word in two, of which the list has one: the other may have another spelling there. */
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
