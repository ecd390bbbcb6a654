/**
 * Letters of names and places in comparable form: one alphabet, one case, no accents. The comparison never fails on any
 * text. A new row changes the matching of names and needs a row in the tables of match-names.test.ts.
 */

/**
 * Letters that NFKD does not decompose, and the Cyrillic and Greek alphabets in a plain Latin spelling (close to
 * BGN/PCGN, which most of the list's transliterations follow).
 */
const letterFolds: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    ð: 'd',
    þ: 'th',
    đ: 'd',
    ħ: 'h',
    ı: 'i',
    ł: 'l',
    ŋ: 'n',
    ŧ: 't',
    ə: 'a',
    ƒ: 'f',
    а: 'a',
    б: 'b',
    в: 'v',
    г: 'g',
    ґ: 'g',
    д: 'd',
    е: 'e',
    є: 'ye',
    ж: 'zh',
    з: 'z',
    и: 'i',
    і: 'i',
    к: 'k',
    л: 'l',
    м: 'm',
    н: 'n',
    о: 'o',
    п: 'p',
    р: 'r',
    с: 's',
    т: 't',
    у: 'u',
    ф: 'f',
    х: 'kh',
    ц: 'ts',
    ч: 'ch',
    ш: 'sh',
    щ: 'shch',
    ъ: '',
    ы: 'y',
    ь: '',
    э: 'e',
    ю: 'yu',
    я: 'ya',
    ј: 'j',
    љ: 'lj',
    њ: 'nj',
    ћ: 'c',
    ђ: 'dj',
    џ: 'dz',
    α: 'a',
    β: 'v',
    γ: 'g',
    δ: 'd',
    ε: 'e',
    ζ: 'z',
    η: 'i',
    θ: 'th',
    ι: 'i',
    κ: 'k',
    λ: 'l',
    μ: 'm',
    ν: 'n',
    ξ: 'x',
    ο: 'o',
    π: 'p',
    ρ: 'r',
    σ: 's',
    ς: 's',
    τ: 't',
    υ: 'y',
    φ: 'f',
    χ: 'ch',
    ψ: 'ps',
    ω: 'o',
  }),
)

function looks(pairs: string): ReadonlyMap<string, string> {
  return new Map(
    pairs
      .trim()
      .split(/\s+/)
      .map((pair) => [[...pair][0] as string, [...pair].slice(1).join('')]),
  )
}

/**
 * Cyrillic and Greek letters in lower case, with the Latin letter that their capital resembles, because records are in
 * capitals. From the confusable characters of Unicode (UTS #39), as far as one letter resembles one letter.
 */
export const upperLooks = looks(`
  аa вb еe нh іi їi јj кk мm оo рp сc тt уy хx ѕs ԁd ԛq ԝw һh ӏl үy ғf зz
  αa βb εe ζz ηh ιi κk μm νn οo ρp τt υy χx ϲc ϳj
`)

/** The Latin letter that the small letter resembles, where it differs. */
export const lowerLooks = looks(`
  аa еe оo рp сc уy хx ѕs іi їi јj ԁd ԛq ԝw һh ӏl үy гr пn иu кk мm тt вb нh
  αa γy ηn ιi κk νv οo ρp σo τt υu χx ωw ϲc ϳj
`)

/** One alphabet, lower case, no accents: `Łódź` → `lodz`, `Søren` → `soren`, `Иванов` → `ivanov`. */
export function foldLetters(text: string): string {
  const bare = text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}\u2800]+/gu, '')
    .toLowerCase()
  let folded = ''
  for (const letter of bare) folded += letterFolds.get(letter) ?? letter
  return folded.replace(/\p{M}+/gu, '')
}

/**
 * Replaces letters of another alphabet by the Latin letters that they look like, and digits within words by letters.
 */
export function lookAlike(text: string, looks: ReadonlyMap<string, string>): string {
  return [...text.toLowerCase().normalize('NFKD')]
    .map((letter) => looks.get(letter) ?? letter)
    .join('')
    .replace(/[\p{L}\p{N}]*\p{L}[\p{L}\p{N}]*/gu, (word) => word.replace(/[013457]/g, digitLook))
}

const digitLooks: Record<string, string> = { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't' }
function digitLook(digit: string): string {
  return digitLooks[digit] ?? digit
}
