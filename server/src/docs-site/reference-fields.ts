/** The fields of a request or of a response as nested lists, from the schemas of the OpenAPI document. */
import { escapeHtml } from './html.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly deprecated?: boolean
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly maxLength?: number
  readonly 'x-code-list'?: string
  readonly 'x-extensible-enum'?: readonly string[]
}
export type Schemas = Readonly<Record<string, Schema>>

/** A list with more values than this is shown by its first ones. */
const valuesMax = 12
const firstValues = 6
const openMembersMax = 6

/** `prose` renders Markdown. */
export function renderFields(schema: Schema, schemas: Schemas, prose: (text: string) => string): string {
  const resolve = (given: Schema): Schema => {
    const name = given.$ref?.split('/').at(-1)
    const { $ref: _, ...own } = given
    return name === undefined ? given : { ...resolve(schemas[name] ?? {}), ...own }
  }

  /** The members of an object, of the items of a list, or of all forms that a value can have. */
  const membersOf = (given: Schema): { properties: [string, Schema][]; required: ReadonlySet<string> } => {
    const { properties = {}, required = [], items, anyOf = [] } = resolve(given)
    const inner = [...(items === undefined ? [] : [items]), ...anyOf].map(membersOf)
    const all = new Map([...Object.entries(properties), ...inner.flatMap((each) => each.properties)])
    const needed = [...required, ...inner.flatMap((each) => [...each.required])]
    return { properties: [...all], required: new Set(needed) }
  }

  const typeOf = (given: Schema): string => {
    const { type, items, anyOf, properties, 'x-code-list': list } = resolve(given)
    if (list !== undefined) return 'code'
    if (items !== undefined) return `list of ${typeOf(items)}`
    if (properties !== undefined) return 'object'
    if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ')
    if (type === 'string') return 'text'
    return (typeof type === 'string' ? type : type?.join(' or ')) ?? 'any'
  }

  /** The code of the schema, of the items of a list, or of one of the forms that a value can have. */
  const codeIn = (given: Schema): Schema | undefined => {
    const schema = resolve(given)
    if (schema['x-code-list'] !== undefined) return schema
    return [schema.items ?? [], schema.anyOf ?? []].flat().map(codeIn).find(Boolean)
  }

  const describe = (given: Schema): string => {
    const { description, items, 'x-code-list': ofList } = resolve(given)
    const code = codeIn(given)
    if (code === undefined) return description ?? (items === undefined ? '' : describe(items))
    const own = (ofList === undefined ? description : given.description) ?? ''
    const { 'x-code-list': list, 'x-extensible-enum': values = [] } = code
    const isLong = values.length > valuesMax
    const shown = values.slice(0, isLong ? firstValues : undefined).map((value) => `\`${value}\``)
    const more = isLong ? ` and ${values.length - firstValues} more` : ''
    const oneOf = typeOf(given).includes('list') ? 'Values of the list' : 'One of the list'
    return `${own} ${oneOf} \`${list}\`: ${shown.join(' ')}${more}.`.trim()
  }

  const renderMember = (
    name: string,
    given: Schema,
    isRequired: boolean,
    above: readonly string[],
  ): string => {
    const inner = renderMembers(given, [...above, nameOf(given)])
    const marks = [
      `<span class="type">${escapeHtml(typeOf(given))}</span>`,
      ...(isRequired ? ['<span class="required">required</span>'] : []),
      ...(resolve(given).deprecated ? ['<span class="required">deprecated</span>'] : []),
    ]
    const described = describe(given)
    return `<li><code>${escapeHtml(name)}</code> ${marks.join(' ')}${described === '' ? '' : prose(described)}${inner}</li>`
  }

  const renderMembers = (given: Schema, above: readonly string[]): string => {
    // A recursive shape is shown once.
    if (above.length > 1 && above.slice(0, -1).includes(above.at(-1) ?? '')) return ''
    const { properties, required } = membersOf(given)
    if (properties.length === 0) return ''
    const list = properties.map(([name, member]) => renderMember(name, member, required.has(name), above))
    const listed = `<ul class="fields">${list.join('')}</ul>`
    if (above.length === 0) return listed
    const open = properties.length <= openMembersMax && above.length < 2 ? ' open' : ''
    return `<details${open}><summary>${properties.length} fields</summary>${listed}</details>`
  }

  const rendered = renderMembers(schema, [])
  return rendered === '' ? '<p class="faint">No fields.</p>' : rendered
}

/** Shapes without a name differ by their contents. */
function nameOf(schema: Schema): string {
  const { items } = schema
  if (schema.$ref !== undefined) return schema.$ref
  return items === undefined ? JSON.stringify(schema) : nameOf(items)
}
