/** How names are found by their beginning: the letters, with and without apostrophes, as ranges that the indexes of names hold. */
import type { Value } from '../database/statement.ts'

/** Sorts after every name that begins with the same letters. */
const afterAllLetters = '\u{10ffff}'
/** Letters that an apostrophe follows in names: O'Brien, D'Angelo, L'Heureux, M'Bala, N'Diaye. */
const lettersBeforeApostrophe = /^[ODLMN][A-Z]/
/** Each word with an apostrophe doubles the beginnings. */
const wordsMax = 3

/** A name is found whether apostrophes are given or not. `text` is in upper case. */
function beginningsOf(text: string): string[] {
  const plain = text.replaceAll("'", '')
  const words = plain.split(' ')
  let beginnings = ['']
  for (const [at, word] of words.entries()) {
    const spellings =
      at < wordsMax && lettersBeforeApostrophe.test(word) ? [word, `${word[0]}'${word.slice(1)}`] : [word]
    beginnings = beginnings.flatMap((start) =>
      spellings.map((spelling) => (at === 0 ? spelling : `${start} ${spelling}`)),
    )
  }
  return [...new Set([text, ...beginnings])]
}

/** A condition for each beginning: the name, or the last name first, begins so. */
export function namesBegin(text: string, bind: (value: Value) => string): string[] {
  return beginningsOf(text).flatMap((beginning) => {
    const [from, to] = [bind(beginning), bind(beginning + afterAllLetters)]
    return ['name', 'last_first'].map(
      (column) => `(${column} collate "C" >= ${from} and ${column} collate "C" < ${to})`,
    )
  })
}
