/**
 * The marks within names that are written in several ways, each in one way (Reading 3.5). The marks are those of the
 * exemplar punctuation of CLDR that stand within a word (UAX #31, table of medial characters).
 */

/** Within a word: the middle dot of GAL·LA and of 买买提·艾力, the gershayim of בע״מ, the tsheg of Tibetan syllables. */
export const marksOfScripts = '\u00b7\u05f4\u0f0b'

// The signs, and the wide forms of Chinese and Japanese keyboards.
const wideSign = /[\uff01-\uff0f\uff1a-\uff20]/g
const wideBy = 0xfee0
// Quotation marks, primes, the accents of keyboards that stand alone, the Hebrew geresh, the Armenian apostrophe.
const apostrophe = /[`\u00b4\u02bc\u055a\u05f3\u2018\u2019\u201b\u2032]/g
// Hyphens of all scripts, such as the Hebrew maqaf, the figure and en dash, and the minus sign. Longer and wavy dashes
// separate sentences.
const hyphen = /(?![\u2014\u2015\u2e3a\u2e3b\u301c\u3030\ufe31\ufe32\ufe58])[\p{Dash_Punctuation}\u2212]/gu
const middleDot = /[\u2027\u30fb\uff65]/g
const tsheg = /\u0f0c/g
// Keyboards have no gershayim, so a quotation mark stands for it.
const gershayim = /(?<=\p{Script=Hebrew}\p{M}*)["\u201c-\u201f\u2033](?=\p{Script=Hebrew})/gu
const isAscii = /^[\x20-\x7e]*$/

/**
 * The marks that phones, keyboards, word processors and other scripts write, such as those of O’Brien and בן־גוריון, as
 * the plain marks.
 */
export function plainMarks(text: string): string {
  if (isAscii.test(text)) return text.replaceAll('`', "'")
  return text
    .replace(wideSign, (sign) => String.fromCharCode(sign.charCodeAt(0) - wideBy))
    .replace(apostrophe, "'")
    .replace(hyphen, '-')
    .replace(middleDot, '\u00b7')
    .replace(tsheg, '\u0f0b')
    .replace(gershayim, '\u05f4')
}
