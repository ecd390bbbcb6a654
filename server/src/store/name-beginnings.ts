/**
 * Finds names by their beginning, with and without accents, apostrophes and middle dots, as ranges of the indexes of
 * names.
 */
import { plainMarks } from '@clearing/protocol'
import type { Value } from '../database/statement.ts'

/** Sorts after every name with the same prefix. */
export const afterAllLetters = '\u{10ffff}'
/** Letters before an apostrophe in names: O'Brien, D'Angelo, L'Heureux, M'Bala, N'Diaye. */
const lettersBeforeApostrophe = /^[ODLMN][A-Z]/
/** The limit for spellings, because each further spelling of a word multiplies the number of prefixes. */
const wordsMax = 3
/** With more beginnings, a space and a hyphen are searched for as they were typed. */
const beginningsMax = 8

// The marks of the function of the database. A stored name has no others that have a plain form.
const apostrophe = /[`\u00b4\u02bc\u2018\u2019\u201b\u2032\uff07]/g
const hyphen = /[\u2010-\u2013\u2212\uff0d]/g
const combiningMarks = /[\u0300-\u036f]/g
/** Letters that Unicode does not decompose, with the letters that are usually written for them. */
const undecomposed: Readonly<Record<string, string>> = {
  Æ: 'AE',
  Œ: 'OE',
  Þ: 'TH',
  ẞ: 'SS',
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Ħ: 'H',
  Ŧ: 'T',
  Ŋ: 'N',
  Ə: 'A',
}
const undecomposedLetter = new RegExp(`[${Object.keys(undecomposed).join('')}]`, 'g')

/**
 * An upper-case name in the letters that a search looks for: GARCÍA as GARCIA, ŁUKASZ as LUKASZ. The function
 * `clearing.plain_letters` of the database does the same.
 */
export function plainLetters(name: string): string {
  return name
    .normalize('NFD')
    .replace(apostrophe, "'")
    .replace(hyphen, '-')
    .replace(combiningMarks, '')
    .replace(undecomposedLetter, (letter) => undecomposed[letter] as string)
}

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
function beginningsOf(typed: string): string[] {
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

const nameForms = ['name', 'last_first', 'name_plain', 'last_first_plain']

/** The condition that one of the columns of a person begins with a text. */
function begins(columns: readonly string[], beginning: string, bind: (value: Value) => string): string[] {
  const [from, to] = [bind(beginning), bind(beginning + afterAllLetters)]
  return columns.map((column) => `(${column} collate "C" >= ${from} and ${column} collate "C" < ${to})`)
}

/** The words before and after the first comma of `GARCIA, JOSE`; undefined if there are none on one side. */
function splitAtComma(typed: string): { readonly last: string; readonly first: string } | undefined {
  const text = plainLetters(plainMarks(typed))
  const comma = text.indexOf(',')
  if (comma < 0) return undefined
  const [last, first] = [text.slice(0, comma).trim(), text.slice(comma + 1).trim()]
  return last === '' || first === '' ? undefined : { last, first }
}

/** The last word, which begins the last name, and the words before it; undefined for one word. */
function splitAtLastWord(typed: string): { readonly last: string; readonly first: string } | undefined {
  const words = plainLetters(plainMarks(typed)).split(' ').filter(Boolean)
  const last = words.pop()
  return last === undefined || words.length === 0 ? undefined : { last, first: words.join(' ') }
}

/**
 * One condition for each prefix and each form of a name: as it is written, with the last name first, and with the last
 * word of a longer last name first. A name in ASCII has no other plain form. `GARCIA, JOSE` also finds JOSE GARCIA
 * LOPEZ, whose last name has more words, and `ADA MORENO` also finds ADA LUISA MORENO.
 */
export function namesBegin(text: string, bind: (value: Value) => string): string[] {
  const conditions = beginningsOf(text).flatMap((beginning) => [
    ...begins(nameForms, beginning, bind),
    // The index of these names is restricted by the same condition.
    ...begins(['last_word_first'], beginning, bind).map((begun) => `(last_word_first <> '' and ${begun})`),
  ])
  const parts = splitAtComma(text)
  if (parts !== undefined) {
    const first = begins(['coalesce(name_plain, name)'], parts.first, bind)[0]
    for (const last of begins(['last_first', 'last_first_plain'], `${parts.last} `, bind))
      conditions.push(`(${last} and ${first})`)
  }
  const around = parts === undefined ? splitAtLastWord(text) : undefined
  if (around !== undefined) {
    const first = begins(['coalesce(name_plain, name)'], `${around.first} `, bind)[0]
    for (const last of begins(['last_first', 'last_first_plain'], around.last, bind))
      conditions.push(`(${last} and ${first})`)
  }
  return conditions.length > 0 ? conditions : ['false']
}
