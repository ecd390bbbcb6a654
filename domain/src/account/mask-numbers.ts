/**
 * Personal numbers for readers without the right to see them: masked to their last four characters, in a record, a
 * request or a change.
 */
import type { FieldChange } from './merge-blocks.ts'

/** A number masked to its last four characters. */
export function maskNumber(number: string): string {
  return number.length <= 4 ? '*'.repeat(number.length) : '*'.repeat(number.length - 4) + number.slice(-4)
}

/** A change for the audit trail: personal numbers are masked, and birth dates are left out. */
export function maskChange(change: FieldChange): FieldChange {
  const name = change.field.slice(change.field.lastIndexOf('.') + 1)
  return { field: change.field, from: maskMember(name, change.from), to: maskMember(name, change.to) }
}

function maskMember(name: string, value: unknown): unknown {
  if (typeof value === 'string') {
    if (name === 'taxIdNumber' || name === 'taxId' || name === 'idNumber') return maskNumber(value)
    return name === 'birthDate' ? '****-**-**' : value
  }
  if (Array.isArray(value)) return value.map((item) => maskMember(name, item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [member, maskMember(member, inner)]),
  )
}

/** A whole request or record with its personal numbers masked, for the audit trail and onboarding-result. */
export function maskPersonalNumbers<T>(value: T): T {
  return maskMember('', value) as T
}
