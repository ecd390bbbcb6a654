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
    for (const letter of text.normalize('NFC')) {
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
