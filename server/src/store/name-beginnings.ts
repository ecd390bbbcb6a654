/** Finds names by their beginning, with and without apostrophes, as ranges of the indexes of names. */
import { plainMarks } from '@clearing/protocol'
import type { Value } from '../database/statement.ts'

/** Sorts after every name with the same prefix. */
const afterAllLetters = '\u{10ffff}'
/** Letters before an apostrophe in names: O'Brien, D'Angelo, L'Heureux, M'Bala, N'Diaye. */
const lettersBeforeApostrophe = /^[ODLMN][A-Z]/
/** The limit for apostrophes, because each word with an apostrophe doubles the number of prefixes. */
const wordsMax = 3

/**
 * Finds a name whether or not the search text contains its apostrophes, straight or curved, or the comma of `MORENO, ADA`. `typed` is in
 * upper case.
 */
function beginningsOf(typed: string): string[] {
  const text = plainMarks(typed)
  const withoutComma = text.replace(/, ?/g, ' ').trim()
  const plain = withoutComma.replaceAll("'", '')
  const words = plain.split(' ')
  let beginnings = ['']
  for (const [at, word] of words.entries()) {
    const spellings =
      at < wordsMax && lettersBeforeApostrophe.test(word) ? [word, `${word[0]}'${word.slice(1)}`] : [word]
    beginnings = beginnings.flatMap((start) =>
      spellings.map((spelling) => (at === 0 ? spelling : `${start} ${spelling}`)),
    )
  }
  // An apostrophe or a comma alone would leave an empty beginning, which every name has.
  return [...new Set([typed, text, withoutComma, ...beginnings])].filter((beginning) => beginning !== '')
}

/** One condition for each prefix, for the name and for the name with the last name first. */
export function namesBegin(text: string, bind: (value: Value) => string): string[] {
  return beginningsOf(text).flatMap((beginning) => {
    const [from, to] = [bind(beginning), bind(beginning + afterAllLetters)]
    return ['name', 'last_first'].map(
      (column) => `(${column} collate "C" >= ${from} and ${column} collate "C" < ${to})`,
    )
  })
}
