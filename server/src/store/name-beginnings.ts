/** Finds names by their beginning, as ranges of the indexes of names. */
import { plainMarks } from '@clearing/protocol'
import type { Value } from '../database/statement.ts'
import { plainLetters } from './plain-letters.ts'
import { beginningsOf } from './typed-names.ts'

/** Sorts after every name with the same prefix. */
export const afterAllLetters = '\u{10ffff}'
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
