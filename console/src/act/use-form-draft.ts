/** The typed values of a form, and the values on file that the person saw when they were typed. */
import { useState } from 'react'
import { keepDraft, readDraft } from '../drafts.ts'
import { type Field, firstValues, type Values } from './field.ts'
import { type ChangedValue, changedSince, type OnFile, type Seen, seenOf } from './seen.ts'

/** A record as it is now. */
export interface RecordInForm {
  readonly version: number
  /** Its values that the fields of the form replace. */
  readonly onFile: (values: Values) => readonly OnFile[]
}

interface Draft {
  readonly values: Values
  readonly seen: Seen
}

interface FormOfDraft {
  readonly fields: readonly Field[]
  readonly record?: RecordInForm | undefined
}

export function useFormDraft(draft: string, form: FormOfDraft) {
  const { record } = form
  const [{ values, seen }, setDraft] = useState(() => firstDraft(form, readDraft<Draft>(draft)))
  const keep = (next: Values, known = seen) => {
    const kept = { values: next, seen: seenOf(known, replacedIn(record, next)) }
    setDraft(kept)
    keepDraft(draft, kept)
  }
  return {
    values,
    keep: (next: Values) => keep(next),
    changedValues: changedSince(seen, replacedIn(record, values)),
    onKeep: ({ path, value }: ChangedValue) => keep(values, { ...seen, [path]: value }),
    onTake: ({ name }: ChangedValue) => keep({ ...values, [name]: '' }),
  }
}

function firstDraft(
  { fields, record }: { readonly fields: readonly Field[]; readonly record?: RecordInForm | undefined },
  kept: Draft | undefined,
): Draft {
  const values = { ...firstValues(fields), ...kept?.values }
  return { values, seen: seenOf(kept?.seen ?? {}, replacedIn(record, values)) }
}

/** A field that is left empty replaces nothing, nor does one with the value on file. */
function replacedIn(record: RecordInForm | undefined, values: Values): OnFile[] {
  const onFile = record?.onFile(values) ?? []
  return onFile.filter(({ name, value }) => !isEmpty(values[name]) && values[name] !== value)
}

export function isEmpty(value: Values[string] | undefined) {
  return (
    value === undefined ||
    (typeof value === 'string' && value.trim() === '') ||
    (Array.isArray(value) && value.length === 0)
  )
}
