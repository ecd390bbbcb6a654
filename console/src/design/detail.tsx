/**
 * The members of an event or of an audit row in two lines (`Role: Viewer, Address: 10.0.0.1`), as far as they fit. A
 * button shows the whole.
 */
import { useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { labelOf } from './codes.ts'
import { renderCount } from './count.ts'
import { pathInWords } from './record-words.ts'
import { renderDay, withDays, withTimes } from './time.tsx'
import { wordsOf } from './words.ts'

const code = /^[A-Z][a-z]+(?:[A-Z][a-z]+)*$/
const step = /^[a-z]+(?:-[a-z]+)+$/
/** Members whose values are names of the service. */
const named: readonly string[] = ['step', 'operation']
const wholeDay = /^\d{4}-\d\d-\d\d$/

function nameInWords(name: string): string {
  return name === 'acctType' ? 'Account type' : wordsOf(name)
}

/** A member in words. An item of a list is one phrase, so its own members have no colon. */
function inWords(name: string, value: unknown): string {
  if (value === null || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return Number.isInteger(value) ? renderCount(value) : String(value)
  if (Array.isArray(value)) return listInWords(name, value)
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([inner, innerValue]) => `${nameInWords(inner).toLowerCase()} ${inWords(inner, innerValue)}`)
      .join(', ')
  const text = String(value)
  if (wholeDay.test(text)) return renderDay(text)
  if (name === 'field' || name === 'fields') return pathInWords(text)
  if (name === 'acctType') return labelOf('activityAcctType', text)
  return code.test(text) || (named.includes(name) && step.test(text))
    ? wordsOf(text)
    : withDays(withTimes(text))
}

function listInWords(name: string, items: readonly unknown[]): string {
  // A webhook without types gets events of every type.
  if (items.length === 0) return name === 'types' ? 'every type' : 'none'
  const hasMembers = items.some((item) => typeof item === 'object' && item !== null)
  return items.map((item) => inWords(name, item)).join(hasMembers ? '; ' : ', ')
}

function detailInWords(detail: unknown): string {
  // The changes of a record are a list without a name.
  if (Array.isArray(detail)) return listInWords('', detail)
  return Object.entries((detail ?? {}) as Readonly<Record<string, unknown>>)
    .map(([name, value]) => `${nameInWords(name)}: ${inWords(name, value)}`)
    .join(', ')
}

export function Detail({ of: detail }: { readonly of: unknown }) {
  const shown = useRef<HTMLSpanElement>(null)
  const [isCut, setCut] = useState(false)
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    const measured = new ResizeObserver(([entry]) => {
      const target = entry?.target
      setCut(target !== undefined && target.scrollHeight > target.clientHeight + 1)
    })
    if (shown.current !== null) measured.observe(shown.current)
    return () => measured.disconnect()
  }, [])
  const text = detailInWords(detail)
  return (
    <>
      <span ref={shown} className={isWhole ? 'detail whole-detail' : 'detail'} title={text}>
        {text}
      </span>
      {(isCut || isWhole) && (
        <Button
          variant="subtle"
          size="compact-xs"
          ml={-8}
          aria-expanded={isWhole}
          aria-label={isWhole ? 'Less of the detail' : 'More of the detail'}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Less' : 'More'}
        </Button>
      )}
    </>
  )
}
