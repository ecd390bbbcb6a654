/** The fields of a record in a form, part by part. A field that cannot be changed shows the reason. */
import { NativeSelect, TextInput } from '@mantine/core'
import { choicesOf } from '../design/codes.ts'
import { Panel } from '../design/panel.tsx'
import { valueInWords } from '../design/record-words.ts'
import { withTimes } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import type { CorrectedField, CorrectedPart, Edits } from './corrections.ts'

export interface CorrectFormProps {
  readonly parts: readonly CorrectedPart[]
  readonly edits: Edits
  readonly wrong: readonly { readonly field: string; readonly reason: string }[]
  /** Whether no value can be changed now. The fields keep the focus, which disabled ones would lose. */
  readonly isFixed: boolean
  /** Whether the record cannot be corrected. Its values are shown, as those of fixed fields are. */
  readonly isReadOnly: boolean
  readonly onEdit: (path: string, value: string) => void
}

export function CorrectForm({ parts, edits, wrong, isFixed, isReadOnly, onEdit }: CorrectFormProps) {
  return parts.map(({ path, title, fields }) => (
    <Panel key={path} title={title}>
      {groupsOf(fields).map(([group, inside]) => (
        <fieldset key={group} className="plain corrected">
          {group !== title && <legend className="sub">{group}</legend>}
          {inside.map((each) => (
            <Correctable
              key={each.path}
              corrected={each}
              value={edits[each.path] ?? each.value}
              error={wrong.find(({ field }) => field === each.path)?.reason}
              isFixed={isFixed}
              isReadOnly={isReadOnly}
              onEdit={(value) => !isFixed && onEdit(each.path, value)}
            />
          ))}
        </fieldset>
      ))}
    </Panel>
  ))
}

/** Fields under their headings, in the order of first appearance. */
function groupsOf(fields: readonly CorrectedField[]): [group: string, fields: CorrectedField[]][] {
  const groups = new Map<string, CorrectedField[]>()
  for (const each of fields) groups.set(each.field.group, [...(groups.get(each.field.group) ?? []), each])
  return [...groups]
}

interface CorrectableProps {
  readonly corrected: CorrectedField
  readonly value: string
  readonly error: string | undefined
  readonly isFixed: boolean
  readonly isReadOnly: boolean
  readonly onEdit: (value: string) => void
}

const yesNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

const identity = /^(?:primaryOwner|associatedParties\[\d+\])\.(?:taxIdType|taxIdNumber|citizenshipCountry)$/i
const entitlement = /^main\.(?:marginIndicator|optionTradingIndicator|optionTradingLevel)$/i

/** The service names a field by its place: `Phone number cell must be …` → `Mobile phone must be …`. */
function withLabel(error: string, path: string, label: string): string {
  const named = wordsOf(path.split('.').at(-1) ?? '')
  return error.startsWith(`${named} `) ? `${label}${error.slice(named.length)}` : error
}

/** The button of the account that changes a field that a correction cannot change. */
function whereOf(path: string): string | undefined {
  if (identity.test(path)) return 'Use “Tax id and citizenship…” on the account.'
  return entitlement.test(path) ? 'Use “Margin and options…” on the account.' : undefined
}

function Correctable({ corrected, value, error, isFixed, isReadOnly, onEdit }: CorrectableProps) {
  const { path, field, value: before } = corrected
  const { label, format, list, help, fixed } = field
  if (fixed !== undefined || isReadOnly)
    return (
      <TextInput
        label={label}
        value={valueInWords(path, before)}
        description={isReadOnly ? undefined : (whereOf(path) ?? fixed)}
        name={path}
        readOnly
        variant="filled"
      />
    )
  const asked = {
    label,
    description: help,
    name: path,
    error: error && withLabel(withTimes(error), path, label),
    'aria-disabled': isFixed,
    'data-changed': value !== before || undefined,
  }
  const choices =
    format === 'yesNo'
      ? yesNo
      : format === 'country'
        ? choicesOf('country')
        : list && format === 'code'
          ? choicesOf(list)
          : undefined
  if (choices === undefined)
    return (
      <TextInput
        {...asked}
        readOnly={isFixed}
        value={value}
        type={format === 'day' ? 'date' : 'text'}
        autoComplete="off"
        onChange={(event) => onEdit(event.currentTarget.value)}
      />
    )
  const chosen = format === 'yesNo' ? value.toLowerCase() : value
  const known = chosen === '' || choices.some((one) => one.value === chosen)
  return (
    <NativeSelect
      {...asked}
      value={chosen}
      data={[
        // A value can be replaced and not deleted, so the empty choice exists only for an empty field.
        ...(before === '' ? [{ value: '', label: 'Not recorded' }] : []),
        ...(known ? [] : [{ value: chosen, label: chosen }]),
        ...choices,
      ]}
      onChange={(event) => onEdit(event.currentTarget.value)}
    />
  )
}
