// The similarity of two folded tokens, 0–100: fuzzball's edit ratio on the written letters and on the letters folded by
// sound, so that transliterations (Khalid, Khaled) agree and different names (Martin, Morton) do not. Promises:
// symmetric; numbers agree only when equal (hull 8 is not hull 6).

import * as fuzzball from 'fuzzball'
import { nameVariants } from './name-words.ts'

/** Below this, two tokens are different words. */
export const TOKEN_SIMILARITY_MIN = 75

/** The value of an initial against a name that begins with it. */
export const INITIAL_SIMILARITY = 90

const VARIANT_SIMILARITY = 97
const SOUND_COST = 3
const SOUND_LENGTH_MIN = 5
const AS_WRITTEN = { full_process: false }

/** A token prepared for comparison. The masks have one bit for each occurring letter. */
export type SoundedToken = {
  text: string
  sound: string
  textLetters: number
  soundLetters: number
  hasNumber: boolean
  variantRow: number | null
}

const variantRows = new Map<string, number>()
nameVariants.forEach((row, at) => {
  for (const name of row.split(' ')) variantRows.set(name, at)
})

export function soundToken(text: string): SoundedToken {
  const sound = foldSound(text)
  return {
    text,
    sound,
    textLetters: maskLetters(text),
    soundLetters: maskLetters(sound),
    hasNumber: /\p{N}/u.test(text),
    variantRow: variantRows.get(text) ?? null,
  }
}

/** Returns the known other transliterations of a name (empty for most). */
export function listVariants(token: string): string[] {
  const row = variantRows.get(token)
  return row === undefined ? [] : (nameVariants[row] as string).split(' ').filter((name) => name !== token)
}

/** 0–100; 0 for every pair below TOKEN_SIMILARITY_MIN. */
export function tokenSimilarity(a: SoundedToken, b: SoundedToken): number {
  if (a.text === b.text) return 100
  if (a.hasNumber || b.hasNumber) return 0
  if (a.variantRow !== null && a.variantRow === b.variantRow) return VARIANT_SIMILARITY
  let similarity = 0
  if (mayAgree(a.text, a.textLetters, b.text, b.textLetters)) {
    similarity = fuzzball.ratio(a.text, b.text, AS_WRITTEN)
  }
  if (
    a.sound.length >= SOUND_LENGTH_MIN &&
    b.sound.length >= SOUND_LENGTH_MIN &&
    mayAgree(a.sound, a.soundLetters, b.sound, b.soundLetters)
  ) {
    similarity = Math.max(similarity, fuzzball.ratio(a.sound, b.sound, AS_WRITTEN) - SOUND_COST)
  }
  return similarity < TOKEN_SIMILARITY_MIN ? 0 : similarity
}

/**
 * A cheap upper bound: every letter that only one side has, and every letter of the difference in length, costs one
 * edit.
 */
function mayAgree(a: string, lettersA: number, b: string, lettersB: number): boolean {
  const lengths = a.length + b.length
  const editsMin = Math.max(countBits(lettersA ^ lettersB), Math.abs(a.length - b.length))
  return editsMin * 100 <= (100 - TOKEN_SIMILARITY_MIN + 0.5) * lengths
}

function maskLetters(text: string): number {
  let mask = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at) - 97
    mask |= 1 << (letter >= 0 && letter < 26 ? letter : 26 + (Math.abs(letter) % 6))
  }
  return mask
}

function countBits(mask: number): number {
  let bits = mask - ((mask >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

const SOUNDS: [RegExp, string][] = [
  [/^ye|^je(?=v)/, 'e'],
  [/^kn/, 'n'],
  [/tch|tsch/g, 'ch'],
  [/sch/g, 'sh'],
  [/dzh|dj|zh/g, 'j'],
  [/ph/g, 'f'],
  [/ck|kh|q/g, 'k'],
  [/gh/g, 'g'],
  [/dh/g, 'd'],
  [/c(?=[aou]|[^aeiouyh]|$)/g, 'k'],
  [/x/g, 'ks'],
  [/ts|tz/g, 's'],
  [/z/g, 's'],
  [/w/g, 'v'],
  [/oo|ou|ue|oe/g, 'u'],
  [/o/g, 'u'],
  [/(?!^)[aeiyj]+(?=$|[^aeiyj])/g, 'e'],
  [/ff?$/, 'v'],
  [/(.)\1+/g, '$1'],
  [/(?<=.)h$/g, ''],
]

/** Folds letters by sound: `Husayn` and `Hussein` → `husen`. Used only for comparison, never shown. */
function foldSound(token: string): string {
  let sound = token
  for (const [pattern, to] of SOUNDS) sound = sound.replace(pattern, to)
  return sound
}

/** Returns the consonants of the sound: the coarse key that finds candidates. */
export function soundKey(sound: string): string {
  return sound.slice(0, 1) + sound.slice(1).replace(/[aeiou]/g, '')
}
