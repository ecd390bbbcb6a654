/**
 * The members of an event or of an audit row in one line (`Role: Viewer, Address: 10.0.0.1`), as far as they fit. Pointing at it
 * shows the whole.
 */
import { renderDay, withTimes } from './time.tsx'
import { wordsOf } from './words.ts'

const code = /^[A-Z][a-z]+(?:[A-Z][a-z]+)*$/
const wholeDay = /^\d{4}-\d\d-\d\d$/

function inWords(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (wholeDay.test(text)) return renderDay(text)
  return code.test(text) ? wordsOf(text) : withTimes(text)
}

export function Detail({ of: detail }: { readonly of: unknown }) {
  const text = Object.entries((detail ?? {}) as Readonly<Record<string, unknown>>)
    .map(([name, value]) => `${wordsOf(name)}: ${inWords(value)}`)
    .join(', ')
  return (
    <span className="detail" title={text}>
      {text}
    </span>
  )
}
