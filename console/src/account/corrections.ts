/** Corrections of a record: the fields that can be changed, the changed values, and the request for them. */
import { accountBlock, memberOf, operations, type RecordBlock, type RecordField } from '@clearing/protocol'
import { type Block, isBlock } from './record.ts'

export interface CorrectedField {
  readonly path: string
  readonly field: RecordField
  readonly value: string
}

export interface CorrectedPart {
  readonly path: string
  readonly title: string
  readonly fields: readonly CorrectedField[]
}

/** The typed values by the paths of the fields. */
export type Edits = Readonly<Record<string, string>>

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly 'x-aliases'?: Readonly<Record<string, string>>
}

const request = operations['update-account'].request as Schema
/** Alternative forms of fields that the record already has. */
const otherForms = new Set(['employer', 'caisInformation', 'trustedContact.address', 'affiliation'])
/** The member that identifies an item of a list. */
const keys = ['customerId', 'largeTraderId']

/** The parts of a record with their fields, including fields that cannot be changed. */
export function partsToCorrect(record: Block): CorrectedPart[] {
  const parts = Object.entries(record).flatMap(([name, value]) => {
    const block = memberOf(accountBlock, name)
    const schema = request.properties?.[name]
    if (block?.kind !== 'block' || schema === undefined) return []
    if (!Array.isArray(value))
      return [
        {
          path: name,
          title: block.label,
          fields: fieldsIn(isBlock(value) ? value : {}, block, schema, name),
        },
      ]
    return value.filter(isBlock).map((item, index) => ({
      path: `${name}[${index}]`,
      title: `${block.item ?? block.label} ${index + 1}`,
      fields: fieldsIn(item, block, schema.items ?? {}, `${name}[${index}]`),
    }))
  })
  const order = Object.keys(accountBlock.members)
  const place = ({ path }: CorrectedPart) => order.indexOf(path.replace(/\[.*/, ''))
  return parts.filter(({ fields }) => fields.length > 0).sort((one, other) => place(one) - place(other))
}

function fieldsIn(data: Block, block: RecordBlock, schema: Schema, path: string): CorrectedField[] {
  const spelled = spellings(data, block)
  return Object.entries(block.members).flatMap(([name, member]): CorrectedField[] => {
    const own = spelled.get(member) ?? name
    const inside =
      schema.properties?.[own] ?? schema.properties?.[schema['x-aliases']?.[own.toLowerCase()] ?? '']
    if (inside === undefined || otherForms.has(name)) return []
    const value = data[own]
    const at = `${path}.${own}`
    if (member.kind === 'block') return fieldsIn(isBlock(value) ? value : {}, member, inside, at)
    const field = canBeAdded(name, data) ? withoutFixed(member) : member
    return [{ path: at, field, value: Array.isArray(value) ? value.join(', ') : String(value ?? '') }]
  })
}

/** A person without a tax id, such as one who has applied for an ITIN, can get one later. */
function canBeAdded(name: string, data: Block): boolean {
  return (name === 'taxIdType' || name === 'taxIdNumber') && (data.taxIdNumber ?? '') === ''
}

function withoutFixed({ fixed: _, ...field }: RecordField): RecordField {
  return field
}

/** The names of a block's members in the record: `name1` for the first name. */
function spellings(data: Block, block: RecordBlock) {
  return new Map(Object.keys(data).map((name) => [memberOf(block, name), name] as const))
}

/** The fields with another value, with both values. */
export function changesOf(parts: readonly CorrectedPart[], edits: Edits) {
  return parts
    .flatMap(({ fields }) => fields)
    .filter(({ path, field, value }) => field.fixed === undefined && isChanged(field, value, edits[path]))
    .map(({ path, value }) => ({ field: path, before: value, after: (edits[path] ?? '').trim() }))
}

function isChanged({ format }: RecordField, value: string, edit: string | undefined): boolean {
  if (edit === undefined || edit.trim() === value) return false
  return format !== 'yesNo' || edit.toLowerCase() !== value.toLowerCase()
}

/** Only the blocks that changed; items of lists with the member that identifies them. */
export function requestOfChanges(
  record: Block,
  changes: readonly { readonly field: string; readonly after: string }[],
): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const { field, after } of changes) {
    const [first = '', ...rest] = field.split('.')
    const [, list = '', index] = /^(\w+)\[(\d+)\]$/.exec(first) ?? []
    const into = index === undefined ? blockAt(made, first) : itemAt(made, record, list, Number(index))
    const last = rest.pop() ?? ''
    const block = rest.reduce(blockAt, into)
    block[last] = after
  }
  return made
}

type Made = Record<string, unknown>

function blockAt(into: Made, name: string): Made {
  into[name] ??= {}
  return into[name] as Made
}

/** The items of the request are in the order of their changes. */
function itemAt(made: Made, record: Block, list: string, index: number): Made {
  const item = (record[list] as readonly Block[])[index] ?? {}
  const key = keys.find((each) => typeof item[each] === 'string' && item[each] !== '') ?? ''
  made[list] ??= []
  const items = made[list] as Made[]
  const before = items.find((each) => each[key] === item[key])
  if (before !== undefined) return before
  const added = { [key]: item[key] }
  items.push(added)
  return added
}

/** Maps the paths of rejections to paths of the form: items of the request are the changed items of the record. */
export function pathInRecord(record: Block, sent: Record<string, unknown>, field: string): string {
  const [, list = '', index = '', rest = ''] = /^(\w+)\[(\d+)\](.*)$/.exec(field) ?? []
  if (list === '') return field
  const item = (sent[list] as readonly Block[] | undefined)?.[Number(index)]
  const key = keys.find((each) => item?.[each] !== undefined) ?? ''
  const at = (record[list] as readonly Block[]).findIndex((each) => each[key] === item?.[key])
  return `${list}[${at}]${rest}`
}
