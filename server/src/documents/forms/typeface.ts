/**
 * The typeface of forms, which travels inside each of them: Open Sans (SIL Open Font License 1.1, fonts/LICENSE-OPEN-SANS.txt), with the
 * Latin, Greek, Cyrillic and Hebrew letters. A letter that it does not have is shown as � and named at the end of the form.
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

/** Registers the typeface in a document; answers how a text is made printable. */
export class Typeface {
  readonly #font: FontWithGlyphs
  /** Letters that were asked for and are not there, in the order they came. */
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
