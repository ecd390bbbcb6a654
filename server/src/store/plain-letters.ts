/** The letters of names in which a search compares them. */

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
