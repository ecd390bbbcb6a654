/** The beginnings under which a typed name may be stored, with and without accents, apostrophes and middle dots. */
import { plainMarks } from '@clearing/protocol'
import { plainLetters } from './plain-letters.ts'

/** Letters before an apostrophe in names: O'Brien, D'Angelo, L'Heureux, M'Bala, N'Diaye. */
const lettersBeforeApostrophe = /^[ODLMN][A-Z]/
/** The limit for spellings, because each further spelling of a word multiplies the number of prefixes. */
const wordsMax = 3
/** With more beginnings, a space and a hyphen are searched for as they were typed. */
const beginningsMax = 8

/** Abbreviations within names, which are written with and without a full stop: ST. JOHN. */
const abbreviation = /^(?:ST|STE|MT|FT)\.?$/

/** A word without apostrophes as it may be written: OBRIEN also as O'BRIEN, GALLA also as GAL·LA, ST also as ST. */
function spellingsOf(word: string): string[] {
  if (abbreviation.test(word)) return [word.replace('.', ''), `${word.replace('.', '')}.`]
  const spellings = lettersBeforeApostrophe.test(word) ? [word, `${word[0]}'${word.slice(1)}`] : [word]
  return word.includes('LL')
    ? spellings.flatMap((spelling) => [spelling, spelling.replace('LL', 'L·L')])
    : spellings
}

/**
 * Finds a name whether or not the search text contains its accents, its apostrophes, straight or curved, its middle
 * dot, its hyphens instead of spaces, or the comma of `MORENO, ADA`. `typed` is in upper case.
 */
export function beginningsOf(typed: string): string[] {
  const text = plainLetters(plainMarks(typed))
  const withoutComma = text.replace(/, ?/g, ' ').trim()
  // Words, each after the space or the hyphen that joins it to the word before.
  const [first = '', ...others] = withoutComma.replaceAll("'", '').split(/([ -])/)
  let beginnings = spellingsOf(first)
  for (let at = 1; at * 2 <= others.length; at++) {
    const [joint = '', word = ''] = others.slice(at * 2 - 2)
    const spellings = at < wordsMax ? spellingsOf(word) : [word]
    const joints = beginnings.length <= beginningsMax ? [' ', '-'] : [joint]
    beginnings = beginnings.flatMap((start) =>
      joints.flatMap((between) => spellings.map((spelling) => start + between + spelling)),
    )
  }
  // Persons of earlier releases have no plain form until housekeeping fills it. They are found as they are written.
  const written = [typed, plainMarks(typed)]
  // An accent, an apostrophe or a comma alone would leave an empty beginning, which every name has.
  return [...new Set([text, withoutComma, ...beginnings, ...written])].filter(
    (beginning) => plainLetters(beginning) !== '',
  )
}
