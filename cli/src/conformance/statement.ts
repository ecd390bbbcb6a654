/**
 * A statement of the specification with the check of an implementation against it, and the helpers that several checks
 * share.
 */
import { expect, type Reply, type Subject, shown } from './subject.ts'

export interface Statement {
  /** The heading of the specification above the sentence. */
  readonly section: string
  /** The sentence, word for word. */
  readonly sentence: string
  /** Throws `Departure`. */
  readonly check: (subject: Subject) => Promise<void>
}

export function expectSuccess({ status, json, text }: Reply): void {
  expect(status === 200 && json.hasErrors === false, `answered ${status} ${text.slice(0, 160)}`)
}

/** Asserts that the request was refused with an error that names the field. */
export function expectRefusal({ status, json }: Reply, field?: string): void {
  expect(status >= 400 && status < 500, `answered ${status}, not a refusal`)
  expect(
    json.hasErrors === true && Array.isArray(json.errors) && json.errors.length > 0,
    `errors: ${shown(json.errors)}`,
  )
  if (field === undefined) return
  const fields = json.errors.map((error: { field: unknown }) => error.field)
  expect(
    fields.some((name: unknown) => String(name).toLowerCase() === field.toLowerCase()),
    `no error names ${field}: ${shown(json.errors)}`,
  )
}

export type Kind = 'string' | 'number' | 'boolean' | 'array' | 'object'

/** Asserts that every member is present and has its type. */
export function expectMembers(record: Record<string, unknown> | undefined, kind: Kind, names: string): void {
  for (const name of names.split(' ')) {
    const value = record?.[name]
    const found = Array.isArray(value) ? 'array' : typeof value
    expect(
      found === kind,
      `${name} is ${found === 'undefined' ? 'absent' : `${found} ${shown(value)}`}, not ${kind}`,
    )
  }
}
