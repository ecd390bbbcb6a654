/**
 * The typeface that is embedded in forms: Open Sans (SIL Open Font License 1.1, fonts/LICENSE-OPEN-SANS.txt), with the
 * Latin, Greek, Cyrillic and Hebrew letters. A missing letter is drawn as � and listed at the end of the form.
 */
import { readFileSync } from 'node:fs'
import type PDFDocument from 'pdfkit'

const regular = readFileSync(new URL('./fonts/OpenSans-Regular.ttf', import.meta.url))
const bold = readFileSync(new URL('./fonts/OpenSans-Bold.ttf', import.meta.url))

/** The part of a font that the types of pdfkit leave out. */
interface FontWithGlyphs {
  readonly font: { hasGlyphForCodePoint(codePoint: number): boolean }
}

const replacement = '\u{fffd}'
/** The typeface has no ʻokina, the letter of Hawaiian names. Its left quotation mark has the same shape. */
const sameShapes: ReadonlyMap<string, string> = new Map([['\u02bb', '\u2018']])

// pdfkit lays out each word together with the space after it, and turns a Hebrew word around with this space. Hebrew
// words with no-break spaces are laid out as one word, from right to left. The word before another alphabet gets a
// second space.
const hebrewWords =
  /\p{Script=Hebrew}[\p{Script=Hebrew}\p{M}'"-]*(?: \p{Script=Hebrew}[\p{Script=Hebrew}\p{M}'"-]*)+/gu
const spaceAfterHebrew = /(?<=\p{Script=Hebrew}['"]?) (?=\S)/gu

function spaceHebrew(text: string): string {
  return text.replace(hebrewWords, (words) => words.replaceAll(' ', '\u00a0')).replace(spaceAfterHebrew, '  ')
}

/** Registers the typeface in a document, and makes texts printable. */
export class Typeface {
  readonly #font: FontWithGlyphs
  /** The used letters that are missing, in order of use. */
  readonly missing = new Set<string>()

  constructor(document: InstanceType<typeof PDFDocument>) {
    document.registerFont('bold', bold)
    document.registerFont('regular', regular)
    document.font('regular')
    this.#font = (document as unknown as { _font: FontWithGlyphs })._font
  }

  printable(text: string): string {
    let printed = ''
    for (const written of spaceHebrew(text.normalize('NFC'))) {
      const letter = sameShapes.get(written) ?? written
      if (letter === '\n' || this.#font.font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0))
        printed += letter
      else {
        this.missing.add(letter)
        printed += replacement
      }
    }
    return printed
  }
}
