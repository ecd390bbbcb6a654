/**
 * How a text stands in a CSV file (RFC 4180) that people open with a spreadsheet: what a spreadsheet would run as a formula begins
 * with an apostrophe (OWASP, CSV injection; ASVS 1.2.10). `readCsvText` takes the apostrophe away again.
 */

/** After folding by NFKC: the full-width and small forms of these are them too. */
const formulaSigns: ReadonlySet<string> = new Set(['=', '+', '-', '@', '\u2212'])
const controlStart = /^[\t\r\n]/
const invisibleStart = /^[\p{Z}\p{C}]+/u
const apostrophes = /^'+/
const number = /^-?\d+(\.\d+)?$/

/** One cell, quoted where it must be. */
export function renderCsvCell(text: string): string {
  const harmless = neutralise(text)
  return /[",;\r\n\t]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** What was rendered, from the content of a cell without its quotes. */
export function readCsvText(content: string): string {
  const bare = content.slice(1)
  return content.startsWith("'") && neutralise(bare) === content ? bare : content
}

/** A text that has such apostrophes already gets one more, so that all can be read back. */
function neutralise(text: string): string {
  return isFormula(text.replace(apostrophes, '')) ? `'${text}` : text
}

function isFormula(text: string): boolean {
  if (controlStart.test(text)) return true
  if (number.test(text)) return false
  const [first = ''] = text.replace(invisibleStart, '')
  return formulaSigns.has(first.normalize('NFKC'))
}
