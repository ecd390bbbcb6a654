/**
 * Renders data as JSON on one line. Decimals, which the client keeps as text, are written digit for digit as the
 * numbers of the service.
 */
const { rawJSON } = JSON as JSON & { rawJSON?: (text: string) => unknown }

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

export function renderJson(value: unknown, decimals: ReadonlySet<string> = new Set()): string {
  return JSON.stringify(value, (name, member: unknown) =>
    typeof member === 'string' && decimals.has(name) && number.test(member)
      ? (rawJSON?.(member) ?? Number(member))
      : member,
  )
}
