/**
 * Finds a field of a record by its name: type the first letters of words of its part, group and label, then press
 * Enter.
 */
import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { CorrectedPart } from './corrections.ts'

export function FindField({ parts }: { readonly parts: readonly CorrectedPart[] }) {
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  const own = useRef<HTMLInputElement>(null)
  useEffect(() => own.current?.focus({ preventScroll: true }), [])
  const find = () => {
    const path = pathOf(parts, text)
    setMissing(path === undefined)
    if (path === undefined) return
    const input = document.getElementsByName(path)[0]
    input?.focus()
    if (input instanceof HTMLInputElement) input.select()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        find()
      }}
    >
      <TextInput
        aria-label="Find a field"
        placeholder="Find a field: legal street"
        leftSection={<IconSearch size={15} aria-hidden />}
        size="sm"
        ref={own}
        autoComplete="off"
        value={text}
        error={isMissing ? 'No field that can be changed has this name.' : undefined}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setMissing(false)
        }}
      />
    </form>
  )
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

/** The first changeable field for which each typed word is the beginning of a word in its names. */
function pathOf(parts: readonly CorrectedPart[], text: string): string | undefined {
  const typed = wordsOf(text)
  if (typed.length === 0) return undefined
  return parts
    .flatMap(({ title, fields }) => fields.map((each) => ({ title, ...each })))
    .filter(({ field }) => field.fixed === undefined)
    .find(({ title, field }) => {
      const names = wordsOf(`${title} ${field.group} ${field.label}`)
      return typed.every((part) => names.some((name) => name.startsWith(part)))
    })?.path
}
