/**
 * Free text (Reading 1.4): NFC, trimmed, inner white space collapsed, and upper case if the field requires it. NUL,
 * other control characters, invisible characters, lone surrogates and direction overrides are rejected. Lengths count
 * the characters (code points) of the normalized text. Time is linear in the length, and long texts are rejected before
 * normalization.
 */
import { type Findings, type Place, refused } from '../findings.ts'
import { type Reader, textReader } from '../reader.ts'

// Control characters, lone surrogates, the embeddings, overrides and isolates of the bidirectional algorithm, and
// characters that show nothing: the default-ignorable characters (zero-width signs, fillers, variation selectors,
// tags), interlinear marks, and the blanks that are no white space (the empty Braille pattern, the empty note head).
// Two texts that look equal are then equal.
const forbidden =
  /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u202a-\u202e\u2066-\u2069\u2800\ufff9-\ufffc\u{1d159}]/u

/** A text longer than this multiple of its limit cannot be normalized to a text within the limit. */
const normalizationShrinksAtMost = 8

function forbiddenReason(label: string, text: string) {
  // People type these two, so they get a reason of their own.
  if (/[\n\r]/.test(text)) return `${label} must be one line: it holds a line break.`
  if (text.includes('\t')) return `${label} holds a tab. Send spaces instead.`
  return `${label} holds a character that is never accepted: a control character, an invisible character, half a surrogate pair or a direction override.`
}

/** Some interfaces delete a value by an asterisk, or search for any value. This interface does neither. */
function asteriskReason(label: string) {
  return `${label} must not be an asterisk alone: it neither deletes a value nor finds every value.`
}

/** Printable ASCII with single inner spaces needs no normalization. */
function isPlain(text: string): boolean {
  let before = 0x20
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code > 0x7e || (code === 0x20 && before === 0x20)) return false
    before = code
  }
  return before !== 0x20
}

export function countCharacters(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xd800) count--
  return count
}

/**
 * The normalized text with its letter case unchanged; `refused` if it contains a forbidden character or is too long.
 */
export function tidy(
  label: string,
  text: string,
  max: number,
  place: Place,
  findings: Findings,
): string | typeof refused {
  if (isPlain(text)) {
    if (text.length <= max) return text
    return refuseLength(label, text.length, max, place, findings)
  }
  if (forbidden.test(text))
    return findings.refuse('ERR.1016', place.within, place.key, forbiddenReason(label, text))
  const trimmed = text.trim()
  if (trimmed.length > max * normalizationShrinksAtMost) {
    return refuseLength(label, countCharacters(trimmed), max, place, findings)
  }
  const tidied = trimmed.replace(/\s+/gu, ' ').normalize('NFC')
  const count = countCharacters(tidied)
  return count <= max ? tidied : refuseLength(label, count, max, place, findings)
}

export function refuseLength(
  label: string,
  count: number,
  max: number,
  { within, key }: Place,
  findings: Findings,
): typeof refused {
  return findings.refuse('ERR.1010', within, key, `${label} must be at most ${max} characters; got ${count}.`)
}

/** The stored upper-case form. NFC is applied again, since upper-casing can decompose characters. */
export function upperCase(text: string): string {
  const upper = text.toUpperCase()
  return isPlain(upper) ? upper : upper.normalize('NFC')
}

/** A text that keeps its letter case. */
export function wordsReader(label: string, max: number): Reader {
  return textReader(label, (text, within, key, findings) => tidy(label, text, max, { within, key }, findings))
}

/** A text in upper case. The limit applies to the upper-case text, which can be longer (ß becomes SS). */
export function upperCaseReader(label: string, max: number): Reader {
  return textReader(label, (text, within, key, findings) => {
    if (text.trim() === '*') return findings.refuse('ERR.1016', within, key, asteriskReason(label))
    const tidied = tidy(label, text, max, { within, key }, findings)
    if (tidied === refused) return refused
    const upper = upperCase(tidied)
    if (upper.length <= max) return upper
    const count = countCharacters(upper)
    return count <= max ? upper : refuseLength(label, count, max, { within, key }, findings)
  })
}
