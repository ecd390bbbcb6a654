/** Renders exact decimals as JSON numbers. The digits are written unchanged and never pass through a float. */
import { renderDecimal } from '@clearing/domain/decimal'

const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): number }

/** Renders a structure of the domain. Each decimal (a bigint) becomes a JSON number with the same digits. */
export function renderAmounts<Answer>(value: unknown): Answer {
  // Cached, because the same amounts recur in positions, gains and sums.
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
