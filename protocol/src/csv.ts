/**
 * Texts in CSV files (RFC 4180) for spreadsheets. A text that a spreadsheet would execute as a formula is prefixed with
 * an apostrophe (OWASP, CSV injection; ASVS 1.2.10). `readCsvText` removes the apostrophe.
 */

/** Compared after NFKC normalization, which maps full-width and small forms to these characters. */
const formulaSigns: ReadonlySet<string> = new Set(['=', '+', '-', '@', '\u2212'])
const controlStart = /^[\t\r\n]/
const invisibleStart = /^[\p{Z}\p{C}]+/u
const apostrophes = /^'+/
const number = /^-?\d+(\.\d+)?$/

/** One cell, quoted if necessary. */
export function renderCsvCell(text: string): string {
  const harmless = neutralize(text)
  return /[",;\r\n\t]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** The original text, from the content of a cell without its quotes. */
export function readCsvText(content: string): string {
  const bare = content.slice(1)
  return content.startsWith("'") && neutralize(bare) === content ? bare : content
}

/**
 * A text that already begins with such apostrophes gets another apostrophe, so that every text can be read
 * back.
 */
function neutralize(text: string): string {
  return isFormula(text.replace(apostrophes, '')) ? `'${text}` : text
}

function isFormula(text: string): boolean {
  if (controlStart.test(text)) return true
  if (number.test(text)) return false
  const [first = ''] = text.replace(invisibleStart, '')
  return formulaSigns.has(first.normalize('NFKC'))
}
