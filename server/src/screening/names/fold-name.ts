// Folds a name into comparable tokens: one alphabet, one case, no accents, and known classes for titles and legal
// forms. Promises: never throws on any text, and two spellings that differ only in case, accents, invisible characters,
// punctuation or the joining of Arabic particles give the same tokens.

import { foldLetters } from '@clearing/domain'
import { plainMarks } from '@clearing/protocol/values'
import { genericWords, legalFormCanon, legalForms, nameParticles, personTitles } from './name-words.ts'

/** The class of a token: a distinctive word, or a kind of word that many names share. */
export type TokenClass = 'distinct' | 'generic' | 'particle' | 'initial' | 'title' | 'legal-form'

export type FoldedToken = { text: string; class: TokenClass }

export type NameKind = 'person' | 'entity'

/**
 * Longer names are cut: no list and no registration has them, and the cost of an alignment is quadratic in the tokens.
 */
const NAME_LENGTH_MAX = 700
const NAME_TOKENS_MAX = 40

const TOKEN_LENGTH_MAX = 60

function foldWithin(text: string): string {
  return foldLetters(text.slice(0, NAME_LENGTH_MAX))
}

/** Returns the tokens of a name in written order, each with its class. */
export function foldName(text: string, kind: NameKind): FoldedToken[] {
  const spaced = foldWithin(plainMarks(text))
    .replace(/['’‘ʼʻʿʾ`´\u05f4]/g, '')
    // Catalan writes a long l with a middle dot. Elsewhere the dot separates the parts of a name.
    .replace(/(?<=l)\u00b7(?=l)/g, '')
    .replace(/&/g, ' and ')
  const dotted =
    kind === 'entity' ? spaced.replace(/\b(?:\p{L}\.){2,}/gu, (run) => `${run.replaceAll('.', '')} `) : spaced
  const words = dotted
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, NAME_TOKENS_MAX)
    .map((word) => word.slice(0, TOKEN_LENGTH_MAX))
  return kind === 'person' ? classPersonWords(joinServantNames(words)) : classEntityWords(words)
}

/**
 * The key of a name that has only generic words: its words in sorted order. Legal forms count only beside a single word
 * (`Trading Corp`), in one spelling.
 */
export function wholeNameKey(tokens: FoldedToken[]): string {
  const said = tokens.filter((token) => token.class !== 'particle' && token.class !== 'legal-form')
  const forms = said.length > 1 ? [] : tokens.filter((token) => token.class === 'legal-form')
  return [...said, ...forms]
    .map((token) => legalFormCanon.get(token.text) ?? token.text)
    .sort()
    .join(' ')
}

/** Returns true when folding left letters that cannot be compared with a Latin list (Arabic, Han and others). */
export function isUnscreenable(text: string): boolean {
  return /(?![a-z])\p{L}/u.test(foldWithin(text))
}

function classPersonWords(words: string[]): FoldedToken[] {
  const tokens = words.map((text): FoldedToken => {
    if ([...text].length === 1) return { text, class: 'initial' }
    if (personTitles.has(text)) return { text, class: 'title' }
    if (nameParticles.has(text)) return { text, class: 'particle' }
    return { text, class: 'distinct' }
  })
  return promoteWhenBare(tokens, 2)
}

function classEntityWords(words: string[]): FoldedToken[] {
  return words.map((text): FoldedToken => {
    if (legalForms.has(text)) return { text, class: 'legal-form' }
    if (nameParticles.has(text)) return { text, class: 'particle' }
    if (genericWords.has(text)) return { text, class: 'generic' }
    return { text, class: 'distinct' }
  })
}

/** `Major Don` and `An Li` are names too: titles and particles count in full when few other words remain. */
function promoteWhenBare(tokens: FoldedToken[], distinctMin: number): FoldedToken[] {
  const distinct = tokens.filter((token) => token.class === 'distinct').length
  if (distinct >= distinctMin) return tokens
  return tokens.map((token) =>
    token.class === 'title' || token.class === 'particle' ? { text: token.text, class: 'distinct' } : token,
  )
}

const SERVANT_WORD = /^abd(?:u|ul|el|al|oul|ur|us|ol)?$/
const SERVANT_NAME = /^abd(?:ul|el|al|oul|ur|us|ol)(?=\p{L}{4})/u

/** `Abd al-Rahman`, `Abdul Rahman` and `Abdulrahman` are one name. */
function joinServantNames(words: string[]): string[] {
  const joined: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (!SERVANT_WORD.test(word)) {
      joined.push(word.replace(SERVANT_NAME, 'abd'))
      continue
    }
    const next = words[at + 1]
    const named = next !== undefined && nameParticles.has(next) ? at + 2 : at + 1
    const name = words[named]
    if (name === undefined || [...name].length < 2) joined.push(word)
    else {
      joined.push(`abd${name}`)
      at = named
    }
  }
  return joined
}
