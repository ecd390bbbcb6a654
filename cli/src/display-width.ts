/**
 * The columns that a text takes on a terminal: two for an ideograph or an emoji, none for a mark above a letter. A text
 * is cut between whole characters.
 */
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })
const plain = /^[\x20-\x7e]*$/
/** The ranges that are wide in Unicode's East Asian Width, and emoji. */
const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.\ufe0f)/u
const nothing = /^[\p{M}\p{Default_Ignorable_Code_Point}]+$/u

export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of characters.segment(text)) width += widthOfCharacter(segment)
  return width
}

/** The text, or its beginning with an ellipsis if it takes more columns. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let left = width - 1
  for (const { segment } of characters.segment(text)) {
    left -= widthOfCharacter(segment)
    if (left < 0) break
    kept += segment
  }
  return `${kept}…`
}

function widthOfCharacter(character: string): number {
  if (nothing.test(character)) return 0
  return wide.test(character) ? 2 : 1
}
