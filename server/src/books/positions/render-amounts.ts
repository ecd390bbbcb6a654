/** Renders exact decimals as JSON numbers. The digits are written unchanged and never pass through a float. */
import { renderDecimal } from '@clearing/domain/decimal'

const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): number }

/** A JSON number with the digits of the text. */
export function exactNumber(text: string): number {
  return rawJSON(text)
}

/** Renders a structure of the domain. Each decimal (a bigint) becomes a JSON number with the same digits. */
export function renderAmounts<Answer>(value: unknown): Answer {
  // Cached, because the same amounts recur in positions, gains and sums.
  const known = new Map<bigint, number>()
  const render = (part: unknown): unknown => {
    if (typeof part === 'bigint') {
      let number = known.get(part)
      if (number === undefined) {
        number = exactNumber(renderDecimal(part))
        known.set(part, number)
      }
      return number
    }
    if (Array.isArray(part)) return part.map(render)
    if (typeof part !== 'object' || part === null) return part
    const rendered: Record<string, unknown> = {}
    for (const name in part) rendered[name] = render((part as Record<string, unknown>)[name])
    return rendered
  }
  return render(value) as Answer
}

/** A text that JSON writes unchanged between quotation marks. */
const isPlain = /^[ !#-[\]-~]*$/

/** The prefixes of members, as text. They are names of the contract, so there are few. */
const beginnings = new Map<string, string>()

function beginningOf(name: string): string {
  const known = beginnings.get(name) ?? `${JSON.stringify(name)}:`
  beginnings.set(name, known)
  return known
}

/**
 * The JSON text of `renderAmounts(value)`, in half the time. Takes objects and arrays of decimals, texts,
 * numbers, booleans and nulls. Names of members must come from a fixed set.
 */
export function writeAmounts(value: unknown): string {
  // Cached, because the same amounts recur.
  const known = new Map<bigint, string>()
  const textOf = (part: bigint): string => {
    let text = known.get(part)
    if (text === undefined) {
      text = renderDecimal(part)
      known.set(part, text)
    }
    return text
  }
  const write = (part: unknown): string => {
    if (typeof part === 'string') return isPlain.test(part) ? `"${part}"` : JSON.stringify(part)
    if (typeof part === 'bigint') return textOf(part)
    if (typeof part !== 'object' || part === null) return String(part)
    let text = ''
    if (Array.isArray(part)) {
      for (const item of part) text += text === '' ? write(item) : `,${write(item)}`
      return `[${text}]`
    }
    for (const name in part) {
      const member = (part as Record<string, unknown>)[name]
      if (member === undefined) continue
      text += `${text === '' ? '' : ','}${beginningOf(name)}${write(member)}`
    }
    return `{${text}}`
  }
  return write(value)
}
