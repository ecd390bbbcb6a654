/** One field of a form, with its errors. */
import { Checkbox, MultiSelect, NativeSelect, TagsInput, Textarea, TextInput } from '@mantine/core'
import { renderTime } from '../design/time.tsx'
import type { Field, Value } from './field.ts'

export interface FieldInputProps {
  readonly field: Field
  readonly value: Value
  readonly error: string | undefined
  readonly onChange: (value: Value) => void
  /** Whether it has the focus when the dialog opens. */
  readonly isFirst?: boolean
  /** Whether the value cannot be changed now. The field keeps the focus, which a disabled one would lose. */
  readonly isFixed?: boolean
}

/** The zone in which a time is typed; once it is typed, the time with the abbreviation of its zone. */
function zoneOf(typed: string) {
  const time = new Date(typed)
  return Number.isNaN(time.getTime())
    ? `In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`
    : `${renderTime(time.toISOString())}, in your time zone.`
}

export function FieldInput({
  field,
  value,
  error,
  onChange,
  isFirst = false,
  isFixed = false,
}: FieldInputProps) {
  const { label, kind, hint, required, choices = [] } = field
  const asked = {
    label,
    description: hint,
    error,
    withAsterisk: required ?? false,
    'aria-required': required ?? false,
    name: field.name,
    ...(isFixed ? { readOnly: true, 'aria-disabled': true } : {}),
    ...(isFirst ? { 'data-autofocus': true } : {}),
  }
  const { readOnly: _, ...chosen } = asked
  const text = { ...asked, value: String(value), autoComplete: 'off' }
  switch (kind) {
    case 'text':
      return <TextInput {...text} onChange={(event) => onChange(event.currentTarget.value)} />
    case 'long':
      return <Textarea {...text} onChange={(event) => onChange(event.currentTarget.value)} />
    case 'day':
      return <TextInput {...text} type="date" onChange={(event) => onChange(event.currentTarget.value)} />
    case 'time':
      return (
        <TextInput
          {...text}
          type="datetime-local"
          description={[hint, zoneOf(String(value))].filter(Boolean).join(' ')}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'number':
    case 'whole':
      return (
        <TextInput
          {...text}
          inputMode={kind === 'whole' ? 'numeric' : 'decimal'}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'choice':
      return (
        <NativeSelect
          {...chosen}
          value={String(value)}
          description={[hint, choices.find((choice) => choice.value === value)?.says]
            .filter(Boolean)
            .join(' ')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={[
            { value: '', label: field.none ?? (required ? 'Choose…' : 'Any') },
            ...choices.map((choice) => ({ value: choice.value, label: choice.label })),
          ]}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'several':
      return <MultiSelect {...asked} data={[...choices]} value={value as string[]} onChange={onChange} />
    case 'words':
      return (
        <TagsInput
          {...asked}
          value={value as string[]}
          splitChars={[',', ';', ' ']}
          onChange={(words) =>
            onChange([...new Set(words.flatMap((word) => word.split(/[\s,;]+/)).filter(Boolean))])
          }
        />
      )
    case 'flag':
      return (
        <Checkbox
          label={label}
          description={hint}
          error={error}
          checked={value === true}
          {...(isFixed ? { 'aria-disabled': true } : {})}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )
    default:
      throw new Error(`no input for ${kind satisfies never}`)
  }
}
