/** The catalogue of fields: the label, the part and the format of each field of an account's record. */
import { accountBlock } from './account-fields.ts'
import type { RecordBlock, RecordField } from './record-field.ts'

export { accountBlock } from './account-fields.ts'
export { balanceLabels } from './balance-fields.ts'
export type { FieldFormat, RecordBlock, RecordField } from './record-field.ts'

interface Step {
  readonly name: string
  /** Between brackets: a position, or the customer id of an item. */
  readonly item: string | undefined
}

function stepsOf(path: string): Step[] {
  return path.split('.').map((part) => {
    const [, name = part, item] = /^([^[]+)(?:\[([^\]]*)\])?$/.exec(part) ?? []
    return { name, item }
  })
}

/** A member of a block, by its name in any letter case or by another name of it. */
export function memberOf(block: RecordBlock, name: string): RecordField | RecordBlock | undefined {
  const { members, aliases = {} } = block
  const own = (each: string) => (Object.hasOwn(members, each) ? members[each] : undefined)
  const known = own(name) ?? (Object.hasOwn(aliases, name) ? own(aliases[name] ?? '') : undefined)
  if (known !== undefined) return known
  const lower = name.toLowerCase()
  const alike = [...Object.keys(members), ...Object.keys(aliases)].find(
    (each) => each.toLowerCase() === lower,
  )
  return alike === undefined || alike === name ? undefined : memberOf(block, alike)
}

/** The members of the record that lead to a path, from the outermost; undefined where the catalogue ends. */
function walk(path: string): readonly (readonly [Step, RecordField | RecordBlock | undefined])[] {
  let at: RecordField | RecordBlock | undefined = accountBlock
  return stepsOf(path).map((step) => {
    at = at?.kind === 'block' ? memberOf(at, step.name) : undefined
    return [step, at] as const
  })
}

/**
 * The field at a path such as `primaryOwner.legalAddress.city` or `associatedParties[0].name1`; undefined if there is
 * none.
 */
export function fieldOf(path: string): RecordField | undefined {
  const last = walk(path).at(-1)?.[1]
  if (last?.kind !== 'block' || last.value === undefined) return last?.kind === 'field' ? last : undefined
  return { kind: 'field', label: last.label, format: last.value, group: last.label }
}

/** The label of a field whose path is known to be in the catalogue. */
export function fieldLabel(path: string): string {
  const last = walk(path).at(-1)?.[1]
  if (last === undefined) throw new Error(`the catalogue of fields has no ${path}`)
  return last.label
}

/** A path in words from the outermost block inwards; `unknown` names the fields that are not in the catalogue. */
export function pathLabels(path: string, unknown: (name: string) => string): string[] {
  return walk(path).map(([{ name, item }, node]) => {
    const label = node?.label ?? unknown(name)
    if (item === undefined || item === '') return label
    const one = node?.kind === 'block' && node.item !== undefined ? node.item : label
    return /^\d{1,3}$/.test(item) ? `${one} ${Number(item) + 1}` : `${one} …${item.slice(-4)}`
  })
}

export interface ListedField {
  readonly path: string
  readonly place: string
  readonly field: RecordField
}

/** Every field of the record with its path, in the order of the catalogue. */
export function listFields(block: RecordBlock = accountBlock, path = '', place = ''): ListedField[] {
  return Object.entries(block.members).flatMap(([name, member]) => {
    const below = path === '' ? name : `${path}.${name}`
    if (member.kind === 'field') return [{ path: below, place: place || block.label, field: member }]
    return listFields(member, below, place === '' ? member.label : `${place} › ${member.label}`)
  })
}
