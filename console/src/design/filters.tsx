/**
 * The filters of a list. Each is a text in the address. It applies as soon as it is chosen, and a typed one as soon as
 * it is complete. The saved views of the screen are beside them.
 */
import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Choice } from '../act/field.ts'
import { forgetPlaces, type Filters as Given, useFilters } from '../address.ts'
import { Button } from './button.tsx'
import { DayField } from './day-field.tsx'
import { Views } from './views.tsx'

export interface Filter {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'day' | 'choice'
  /** Undefined while they are loading. */
  readonly choices?: readonly Choice[] | undefined
  /** The label of the empty choice; "Any" by default. */
  readonly any?: string
  /** The label of a value in the address that is none of the choices; "Unknown" by default. */
  readonly unknown?: string
}

export function Filters({ filters }: { readonly filters: readonly Filter[] }) {
  const [given, setAll] = useFilters()
  const set = (changes: Given) => setAll({ ...forgetPlaces(given), ...changes })
  const isSet = filters.some(({ name }) => given[name])
  return (
    <Group gap="sm" align="flex-end" role="search">
      {filters.map((filter) => (
        <One key={filter.name} filter={filter} given={given} onSet={set} />
      ))}
      {isSet && (
        <Button
          variant="subtle"
          onClick={() => set(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
        >
          Clear
        </Button>
      )}
      <Views />
    </Group>
  )
}

interface OneProps {
  readonly filter: Filter
  readonly given: Given
  readonly onSet: (changes: Given) => void
}

function One({ filter, given, onSet }: OneProps) {
  const { name, label, kind, choices, any = 'Any', unknown = 'Unknown' } = filter
  const value = given[name] ?? ''
  if (kind === 'choice') {
    return (
      <NativeSelect
        label={label}
        maw="16rem"
        value={value}
        data={[
          { value: '', label: any },
          ...(choices ?? []),
          // A select without the value would show the first choice.
          ...(value === '' || choices?.some((choice) => choice.value === value)
            ? []
            : [{ value, label: choices === undefined ? '…' : unknown }]),
        ]}
        onChange={(event) => onSet({ [name]: event.currentTarget.value })}
      />
    )
  }
  if (kind === 'day') {
    return <DayField label={label} value={value} onSet={(day) => onSet({ [name]: day })} />
  }
  return <Typed key={value} label={label} value={value} onSet={(text) => onSet({ [name]: text })} />
}

/** A text applies when it is complete: by Enter, or on leaving the field. */
function Typed(props: { label: string; value: string; onSet: (text: string) => void }) {
  const [text, setText] = useState(props.value)
  const done = () => {
    if (text.trim() !== props.value) props.onSet(text.trim())
  }
  return (
    <TextInput
      label={props.label}
      value={text}
      autoComplete="off"
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={done}
      onKeyDown={(event) => {
        if (event.key === 'Enter') done()
      }}
    />
  )
}

/** Two filters of days: from and to. */
export function daysOf(name: string, label: string): Filter[] {
  return [
    { name: `${name}From`, label: `${label} from`, kind: 'day' },
    { name: `${name}To`, label: `${label} to`, kind: 'day' },
  ]
}
