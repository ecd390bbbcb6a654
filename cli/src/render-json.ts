/**
 * Renders data as JSON on one line. Decimals, which the client keeps as text, are written digit for digit as the
 * numbers of the service. `JSON.rawJSON` would do this too, but Node.js 20 does not have it.
 */
const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** Marks a text that is written as a number. No text of the service contains this character. */
const mark = '\u0000'
/** A marked text in JSON. Within another text, a quotation mark follows a backslash. */
const marked = /(?<!\\)"\\u0000([^"]*)"/g

export function renderJson(value: unknown, decimals: ReadonlySet<string> = new Set()): string {
  const json = JSON.stringify(value, (name, member: unknown) =>
    typeof member === 'string' && decimals.has(name) && number.test(member) ? `${mark}${member}` : member,
  )
  return json.replace(marked, '$1')
}
