/** Exact decimals as the numbers of JSON: their digits are written as they are, never through a float. */
import { renderDecimal } from '@clearing/domain/decimal'

const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): number }

/** A structure of the domain with each decimal (a bigint) as a JSON number of the same digits. */
export function renderAmounts<Answer>(value: unknown): Answer {
  // The same amounts come again and again: in positions, their gains and their sums.
  const known = new Map<bigint, number>()
  const render = (part: unknown): unknown => {
    if (typeof part === 'bigint') {
      let number = known.get(part)
      if (number === undefined) {
        number = rawJSON(renderDecimal(part))
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
