/**
 * A day that a screen keeps elsewhere, for example in its address. A day that is typed applies by Enter or on leaving
 * the field, because the browser reports every state of an incomplete day. A day from the browser's calendar applies
 * at once.
 */
import { TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'

export interface DayFieldProps {
  readonly label: string
  readonly description?: ReactNode
  readonly width?: number
  /** YYYY-MM-DD, or empty. */
  readonly value: string
  readonly onSet: (day: string) => void
}

/** The browser then takes four digits for the year. */
const [dayMin, dayMax] = ['1900-01-01', '2199-12-31'] as const

export function DayField({ label, description, width, value, onSet }: DayFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const typed = useRef(false)
  const [own, setOwn] = useState({ value, text: value, error: '' })
  // A day that was set elsewhere replaces the text.
  const { text, error } = own.value === value ? own : { text: value, error: '' }
  useEffect(() => {
    // The parts of an incomplete day remain in the field although its value is empty.
    if (field.current?.validity.badInput) field.current.value = value
  }, [value])
  const show = (shown: string, wrong = '') => setOwn({ value, text: shown, error: wrong })
  const apply = (input: HTMLInputElement) => {
    typed.current = false
    const wrong = wrongOf(input)
    if (wrong !== '') return show(input.value, wrong)
    // A field with a default shows it again after its text was deleted.
    if (input.value === '') show(value)
    if (input.value !== value) onSet(input.value)
  }
  return (
    <TextInput
      ref={field}
      type="date"
      min={dayMin}
      max={dayMax}
      label={label}
      description={description}
      {...(width === undefined ? {} : { w: width })}
      value={text}
      error={error}
      onChange={({ currentTarget }) => {
        show(currentTarget.value)
        if (!typed.current) apply(currentTarget)
      }}
      onPointerDown={() => {
        typed.current = false
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') apply(currentTarget)
        else if (/^(\d|Arrow(Up|Down)|Page(Up|Down)|Home|End|Backspace|Delete)$/.test(key))
          typed.current = true
      }}
      onBlur={({ currentTarget }) => apply(currentTarget)}
    />
  )
}

/** Why the content of the field is no day; empty if it is one, or nothing. */
function wrongOf({ validity }: HTMLInputElement): string {
  if (validity.badInput) return 'Enter the month, the day and the year.'
  if (validity.rangeUnderflow || validity.rangeOverflow) return 'Enter a year from 1900 to 2199.'
  return ''
}
