/**
 * The form of the catalogue of fields: a field of an account's record as people read it, and the blocks that hold
 * fields.
 */
import type { CodeListName } from '../codes/index.ts'

/**
 * How a value is written for people. `lines` is an address line; `masked` shows its last four characters unless it is
 * revealed.
 */
export type FieldFormat =
  | 'text'
  | 'code'
  | 'codes'
  | 'country'
  | 'day'
  | 'email'
  | 'masked'
  | 'percent'
  | 'phone'
  | 'whole'
  | 'yesNo'

export interface RecordField {
  readonly kind: 'field'
  readonly label: string
  readonly format: FieldFormat
  /** The coded list of a `code` or of `codes`. */
  readonly list?: CodeListName
  /** The heading under which the field is shown in its block. */
  readonly group: string
  readonly help?: string
  /** Why update-account refuses to change it. */
  readonly fixed?: string
}

export interface RecordBlock {
  readonly kind: 'block'
  readonly label: string
  /** What one item is called, where the block is a list. */
  readonly item?: string
  /** How the member is written when it holds a value instead of a block. */
  readonly value?: FieldFormat
  /** In the order in which they are shown. */
  readonly members: Readonly<Record<string, RecordField | RecordBlock>>
  /** Other names of members. */
  readonly aliases?: Readonly<Record<string, string>>
}

type More = Partial<Pick<RecordField, 'help' | 'fixed' | 'list'>>

export interface FieldsOfGroup {
  field(label: string, format?: FieldFormat, more?: More): RecordField
  coded(label: string, list: CodeListName, more?: More): RecordField
}

/** Makes the fields of a group. */
export function group(name: string): FieldsOfGroup {
  return {
    field: (label, format = 'text', more = {}) => ({ kind: 'field', label, format, group: name, ...more }),
    coded: (label, list, more = {}) => ({ kind: 'field', label, format: 'code', list, group: name, ...more }),
  }
}

export function blockOf(
  label: string,
  members: RecordBlock['members'],
  more: Pick<RecordBlock, 'item' | 'value' | 'aliases'> = {},
): RecordBlock {
  return { kind: 'block', label, members, ...more }
}
